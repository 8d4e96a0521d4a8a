"""What an HTTP header can carry."""


def unfit_at(value: str) -> int | None:
    """Where the first character stands (from 1) that no header can carry: a line break or another control character,
    or one beyond ASCII, such as a full-width comma that came along with a key. None where all can be sent.

    Asked before the value goes to an HTTP library, whose errors quote it.
    """
    sent = value.strip(" \t\r\n")
    start = len(value) - len(value.lstrip(" \t\r\n"))
    return next((start + place for place, one in enumerate(sent, 1) if not (" " <= one <= "~" or one == "\t")), None)

"""Names that are one plain part of a path, whatever a caller chose."""


def plain_name(name: str) -> str:
    """Letters, digits, `-` and `_`, at most 80 characters, never empty."""
    kept = "".join(character if character.isalnum() or character in "-_" else "_" for character in name)
    return kept[:80] or "_"

"""What servers tell by themselves."""

from mewcode.terminal.observing import MOST, TerminalObserver


def test_only_what_matters_is_shown_clean_and_not_without_end() -> None:
    shown: list[str] = []
    renewed: list[bool] = []
    observer = TerminalObserver(lambda text, meaning: shown.append(text), lambda: renewed.append(True))
    observer.log("notes", "debug", "chatter")
    observer.log("notes", "error", "disk\x1b[2J full\nnow")
    observer.lists_changed("notes")
    assert shown == ["notes: disk full now"] and renewed == [True]
    for _ in range(100):
        observer.log("notes", "error", "again")
    observer.definition_changed("other", ("t", "u"))
    assert len(shown) == MOST + 1 and "t, u" in shown[-1]

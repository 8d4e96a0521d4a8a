"""Calling a person who looks elsewhere: the terminal's bell, or a notification on the desktop."""

from collections.abc import Mapping

from mewcode.terminal.cleaning import bare_line

BELL = "\a"
LONGEST = 120
_WITH_OSC_9 = ("iTerm.app", "WezTerm", "ghostty", "WarpTerminal")


def call_for(text: str, way: str, environ: Mapping[str, str]) -> str:
    """What to write to the terminal. `way` is the setting ui.notifications: bell or desktop. A terminal that is not
    known to show notifications rings besides: the sequence alone would be lost there."""
    if way != "desktop":
        return BELL
    said = bare_line(text)[:LONGEST]
    if environ.get("VTE_VERSION") or environ.get("TERM", "").startswith(("foot", "rxvt")):
        return _through_tmux(f"\x1b]777;notify;MewCode;{said.replace(';', ',')}\a", environ)
    sequence = _through_tmux(f"\x1b]9;MewCode: {said}\a", environ)
    known = environ.get("TERM_PROGRAM") in _WITH_OSC_9 or environ.get("KITTY_WINDOW_ID") or environ.get("WT_SESSION")
    return sequence if known else BELL + sequence


def _through_tmux(sequence: str, environ: Mapping[str, str]) -> str:
    """tmux passes on what is wrapped so, where its option allow-passthrough is on."""
    if not environ.get("TMUX"):
        return sequence
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"

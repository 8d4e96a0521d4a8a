"""Changes of files as coloured diffs."""

from collections.abc import Iterator
from difflib import unified_diff

from mewcode.agent.render import clean
from mewcode.terminal.ink import Ink
from mewcode.terminal.width import cut

MOST_LINES = 40
"""Lines of a diff that are printed by themselves; Ctrl+O shows the rest."""


def diff_lines(before: str, after: str) -> list[str]:
    """A unified diff without its two header lines."""
    lines = unified_diff(clean(before).splitlines(), clean(after).splitlines(), lineterm="", n=3)
    return list(lines)[2:]


def paint_diff(lines: list[str], width: int, ink: Ink, most: int | None = MOST_LINES) -> str:
    """Line numbers at the left, + green, - red; each line cut to `width` cells."""
    shown = list(_numbered(lines, width, ink))
    if most is None or len(shown) <= most:
        return "\n".join(shown)
    left = len(shown) - most
    return "\n".join([*shown[:most], ink.paint(f"  … +{left}  (Ctrl+O)", "dim")])


def _numbered(lines: list[str], width: int, ink: Ink) -> Iterator[str]:
    old = new = 0
    for line in lines:
        if line.startswith("@@"):
            old, new = _starts(line)
            yield ink.paint(cut(line, width - 1), "hunk")
            continue
        mark, text = line[:1], line[1:].expandtabs(4)
        number = old if mark == "-" else new
        shown = cut(f"{number:>5} {mark} {text}", width - 1)
        old, new = old + (mark != "+"), new + (mark != "-")
        yield ink.paint(shown, {"+": "added", "-": "removed"}.get(mark, "dim"))


def _starts(header: str) -> tuple[int, int]:
    """`@@ -3,7 +3,8 @@`: 3 and 3."""
    numbers = [part[1:].split(",")[0] for part in header.split()[1:3]]
    old, new = (int(number) if number.isdigit() else 0 for number in (*numbers, "0", "0")[:2])
    return old, new

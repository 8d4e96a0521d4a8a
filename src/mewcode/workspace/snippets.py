"""The changed part of a text as a short diff."""

import difflib

_AROUND = 3
_MOST_LINES = 60
_MOST_COMPARED = 2_000
_WIDTH = 300


def short_diff(before: str, after: str) -> str:
    """A unified diff without its file header, of at most 60 lines; "" when nothing changed."""
    old, new = before.splitlines(), after.splitlines()
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    first = max(0, start - _AROUND)
    old_part, new_part = old[first : len(old) - end + _AROUND], new[first : len(new) - end + _AROUND]
    if old_part == new_part:
        return "" if before == after else "(only line ends changed)"
    if len(old_part) + len(new_part) > _MOST_COMPARED:
        return f"@@ line {start + 1}: {len(old) - end - start} lines became {len(new) - end - start} @@"
    lines = list(difflib.unified_diff(old_part, new_part, n=_AROUND, lineterm=""))[2:]
    lines = [_shifted(line, first) for line in lines]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"[{len(lines) - _MOST_LINES} more lines of the diff left out]"]
    return "\n".join(line[:_WIDTH] for line in lines)


def _common(first: list[str], second: list[str]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _shifted(line: str, by: int) -> str:
    """Hunk headers count from the part that was compared; here they count from the file's start."""
    if not line.startswith("@@ -"):
        return line
    ranges = [_moved(part, by) for part in line.strip("@ ").split(" ")]
    return f"@@ {' '.join(ranges)} @@"


def _moved(part: str, by: int) -> str:
    sign, (start, _, length) = part[0], part[1:].partition(",")
    return f"{sign}{int(start) + by}" + (f",{length}" if length else "")

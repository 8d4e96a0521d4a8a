"""Why a text that should be replaced was not found: what is nearly the same, and in what it differs."""

import difflib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_NUMBERED = "\t"
_MOST_LINES = 20_000
"""Lines of a file that are looked through for something similar; more would take seconds."""
_SHOWN_LINES = 8
_SHOWN_CHARACTERS = 160
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def explain_miss(text: str, old: str) -> str:
    """One or two sentences for a model, with the lines that come nearest."""
    if (bare := _without_line_numbers(old)) and bare in text:
        return "The text to replace holds line numbers from read_file; leave out the numbers and the tab after them."
    if "\\n" in old and old.replace("\\n", "\n").replace("\\t", "\t") in text:
        return r"The text to replace holds the two characters \n where the file has a line end; send real line ends."
    lines, wanted = text.splitlines()[:_MOST_LINES], old.splitlines()
    near = _nearest(lines, wanted)
    if near is None:
        return "Nothing similar is in the file. Read the part that should change and copy it exactly."
    excerpt = "\n".join(
        f"{near.line + index}\t{line[:_SHOWN_CHARACTERS]}" for index, line in enumerate(near.lines[:_SHOWN_LINES])
    )
    return f"Nearest is line {near.line}: {near.difference}\n{excerpt}"


@dataclass(frozen=True)
class _Near:
    line: int
    lines: list[str]
    difference: str


def _without_line_numbers(old: str) -> str | None:
    parts = [line.partition(_NUMBERED) for line in old.split("\n")]
    numbered = [number.strip().isdigit() for number, tab, _ in parts if tab or number.strip()]
    if not numbered or not all(numbered):
        return None
    return "\n".join(rest for _, _, rest in parts).strip("\n")


def _nearest(lines: list[str], wanted: list[str]) -> _Near | None:
    comparisons: tuple[tuple[Callable[[str], str], str], ...] = (
        (str.rstrip, "it differs only in spaces at the ends of lines."),
        (str.strip, "it differs only in indentation (%s)."),
        (_squeezed, "it differs only in spaces and tabs within the lines."),
        (_plain, "it differs only in quotes, dashes or other look-alike characters."),
        (_caseless, "it differs only in upper and lower case."),
    )
    for form, difference in comparisons:
        at = _find([form(line) for line in lines], [form(line) for line in wanted])
        if at is None:
            continue
        region = lines[at : at + len(wanted)]
        return _Near(at + 1, region, difference % _indents(region, wanted) if "%s" in difference else difference)
    return _similar(lines, wanted)


def _find(lines: list[str], wanted: list[str]) -> int | None:
    count = len(wanted)
    if not any(wanted):
        return None
    return next((at for at in range(len(lines) - count + 1) if lines[at : at + count] == wanted), None)


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _plain(line: str) -> str:
    return unicodedata.normalize("NFKC", line.translate(_QUOTES)).strip()


def _caseless(line: str) -> str:
    return _plain(line).casefold()


def _indents(region: list[str], wanted: list[str]) -> str:
    for there, here in zip(region, wanted, strict=False):
        if _indent(there) != _indent(here):
            return f"the file has {_named(_indent(there))}, the text to replace {_named(_indent(here))}"
    return "spaces at the ends of lines too"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _named(indent: str) -> str:
    if not indent:
        return "none"
    counts = [(indent.count(" "), "space"), (indent.count("\t"), "tab")]
    return " and ".join(f"{count} {name}{'s' * (count > 1)}" for count, name in counts if count)


def _similar(lines: list[str], wanted: list[str]) -> _Near | None:
    """The line most like the most telling line of `wanted`."""
    telling = max((line.strip() for line in wanted), key=len, default="")
    if not telling:
        return None
    stripped = [line.strip()[:500] for line in lines]
    close = difflib.get_close_matches(telling[:500], set(stripped) - {""}, n=1, cutoff=0.6)
    if not close:
        return None
    at = stripped.index(close[0])
    offset = next(index for index, line in enumerate(wanted) if line.strip() == telling)
    start = max(0, at - offset)
    return _Near(start + 1, lines[start : start + max(1, len(wanted))], "its lines differ from the text to replace.")

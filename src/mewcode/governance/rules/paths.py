"""Path patterns: gitignore's, on resolved paths relative to a root."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.calls import Access
from mewcode.governance.file_names import EVERY_NAME, Drawn, FileNames
from mewcode.governance.rules.contents import Contents, contents_of

if TYPE_CHECKING:
    import pathspec

_MOST_STEPS = 4_096
"""Parts of a path, links followed, that are looked at."""


@dataclass(frozen=True)
class PathTarget:
    """One path that a call would touch.

    `written` is what the caller wrote; `resolved` is where it leads, links followed; `lexical` is the absolute path
    with its links not followed. `literal` is False where a command builds the name as it runs, and the path is unknown.
    `moving` is True where it leads through /proc to a place that depends on who opens it (/proc/self/cwd). `beneath`
    says that the call reads what lies beneath the folder, too ("visible": but no hidden files), by its `names`;
    `own_beneath` the same, also where what rules close is hidden from the call, as secrets are not. `drawn` are the
    files (folders under a root, and names) among which a path will be that is not literal.
    """

    written: str
    resolved: str
    lexical: str
    access: Access
    literal: bool = True
    is_folder: bool = False
    moving: bool = False
    beneath: str = ""
    names: FileNames = EVERY_NAME
    own_beneath: str = ""
    drawn: Drawn = ()

    @cached_property
    def contents(self) -> Contents:
        """What lies beneath, where the call reads that; looked up once, however many rules ask."""
        if not self.beneath:
            return Contents()
        return contents_of(self.resolved, hidden=self.beneath == "all", names=self.names)

    @cached_property
    def own_contents(self) -> Contents:
        """As `contents`, without what was installed there."""
        if not self.own_beneath:
            return Contents()
        return contents_of(self.resolved, hidden=self.own_beneath == "all", names=self.names, own=True)

    @property
    def readings(self) -> tuple[str, ...]:
        return (self.resolved,) if self.lexical == self.resolved else (self.resolved, self.lexical)


def resolve_target(written: str, access: Access, roots: Iterable[Path], literal: bool = True) -> PathTarget:
    """Where a path that a caller wrote leads, taken from the first root; touches the file system, changes nothing."""
    base = next(iter(roots), Path.cwd())
    full = os.path.join(base, os.path.expanduser(written))  # noqa: PTH118, PTH111
    lexical = os.path.normpath(full)
    try:
        # Resolved as the system would: `link/..` is the parent of where the link leads, not of the link.
        resolved = os.path.realpath(full)
        is_folder = os.path.isdir(resolved)  # noqa: PTH112
        moving = (resolved != lexical or lexical.startswith("/proc")) and _leads_through_proc(full)
    except (OSError, ValueError):
        return PathTarget(written, lexical, lexical, access, literal=False)
    return PathTarget(written, resolved, lexical, access, literal and not moving, is_folder, moving)


def _leads_through_proc(path: str) -> bool:
    """Whether a link of /proc lies on the way: of another process it leads elsewhere than of ours."""
    waiting, place = [part for part in reversed(path.split("/")) if part not in ("", ".")], "/"
    for _ in range(_MOST_STEPS):
        if not waiting:
            return False
        part = waiting.pop()
        if part == "..":
            place = os.path.dirname(place)  # noqa: PTH120
            continue
        place = os.path.join(place, part)  # noqa: PTH118
        if not os.path.islink(place):  # noqa: PTH114
            continue
        if place.startswith("/proc/") and place.count("/") > 2:
            return True
        target = os.readlink(place)  # noqa: PTH115
        waiting.extend(part for part in reversed(target.split("/")) if part not in ("", "."))
        place = "/" if target.startswith("/") else os.path.dirname(place)  # noqa: PTH120
    return True


@dataclass(frozen=True)
class PathPattern:
    """A gitignore pattern under each root; `//etc/**` is absolute, and `~/…` is under the home folder."""

    text: str

    @cached_property
    def absolute(self) -> str | None:
        """The pattern from the file system's own root, for one that does not depend on the workspace."""
        if self.text.startswith("~/"):
            return Path.home().as_posix().rstrip("/") + self.text[1:]
        return self.text[1:] if self.text.startswith("//") else None

    def allows(self, target: PathTarget, roots: Iterable[Path]) -> bool:
        """Whether the path the call really leads to fits, exactly."""
        if not target.literal:
            return False
        return any(self._spec.match_file(_composed(name)) for name in self._names(target.resolved, roots))

    def tightens(self, target: PathTarget, roots: Iterable[Path]) -> bool:
        """Whether any reading of the path fits: links followed or not, whatever its case or Unicode form."""
        places = tuple(roots)
        names = {name for reading in target.readings for name in self._names(reading, places)}
        return any(self._fits_loosely(name, target.is_folder) for name in names) or (
            bool(target.beneath) and self._fits_beneath(target.contents, places)
        )

    def _fits_beneath(self, contents: Contents, roots: tuple[Path, ...]) -> bool:
        files = (name for path in contents.files for name in self._names(path, roots))
        return any(self._may_fit(name) and self._fits_loosely(name, False) for name in files)

    def _may_fit(self, name: str) -> bool:
        """A quick no for nearly all of many thousand names."""
        return self._rough.search(_folded(name)) is not None

    @cached_property
    def _rough(self) -> "re.Pattern[str]":
        """Matches every name that fits, and few others: by what the pattern says before its first wildcard, or by the
        one part of a path that a pattern without a place must meet."""
        text = _folded(self.absolute or self.text).removeprefix("**/")
        first, slash, _ = text.lstrip("/").partition("/")
        if "[" in text or "\\" in text or text.startswith("!"):
            return re.compile("")
        if text != _folded(self.absolute or self.text) or not (slash and "/" in text.rstrip("/")):
            part = "".join("[^/]*" if c == "*" else "[^/]" if c == "?" else re.escape(c) for c in first)
            return re.compile(f"(?:^|/){part}(?:/|$)")
        return re.compile("^" + re.escape(re.split(r"[*?]", text.lstrip("/"), maxsplit=1)[0]))

    def _fits_loosely(self, name: str, is_folder: bool) -> bool:
        if self._spec.match_file(_composed(name)) or self._folded_spec.match_file(_folded(name)):
            return True
        # A folder stands for what is in it: a rule on `secrets/**` means a search of `secrets`.
        return is_folder and self._folded_spec.match_file(_folded(name.rstrip("/")) + "/\ufdd0")

    def _names(self, path: str, roots: Iterable[Path]) -> Iterator[str]:
        """The path as the pattern sees it: relative to each root that holds it, or to the file system's root."""
        if self.absolute is not None:
            yield path.lstrip("/")
            return
        for root in roots:
            if (inside := relative_to(path, root)) is not None:
                yield inside

    @property
    def _spec(self) -> "pathspec.PathSpec[pathspec.Pattern]":
        return _spec(_composed(self.absolute or self.text))

    @property
    def _folded_spec(self) -> "pathspec.PathSpec[pathspec.Pattern]":
        return _spec(_folded(self.absolute or self.text))


def relative_to(path: str, root: Path) -> str | None:
    """The path under `root` with forward slashes ("." for the root itself), or None where it lies outside."""
    # By text, since this is asked for every rule: both are absolute and normal.
    place, base = (path.replace("\\", "/"), root.as_posix()) if os.name == "nt" else (path, str(root))
    if place == base:
        return "."
    within = base if base.endswith("/") else f"{base}/"
    return place[len(within) :] if place.startswith(within) else None


def escaped(path: str) -> str:
    """The path as a gitignore pattern that means just it."""
    return "".join(f"\\{character}" if character in "\\*?[]!# " else character for character in path)


def is_inside(target: PathTarget, roots: Iterable[Path]) -> bool:
    return target.literal and any(relative_to(target.resolved, root) is not None for root in roots)


@lru_cache(maxsize=2_048)
def _spec(pattern: str) -> "pathspec.PathSpec[pathspec.Pattern]":
    from pathspec import PathSpec

    return PathSpec.from_lines("gitignore", [pattern])


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()

"""A repository's own settings that make git run programs: a hostile repository brings them along."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from mewcode.governance.commands.gitfolders import UnreadableError, git_folders

_LARGEST = 256 * 1024
_RUNS = re.compile(
    r"core\.(fsmonitor|pager|editor|hookspath|attributesfile|alternaterefscommand|worktree)|pager\..+|diff\.external|diff\..+\.(command|textconv)"
    r"|filter\..+\.(clean|smudge|process)|merge\..+\.driver|gpg\..*program|gpg\.program|interactive\.difffilter|sequence\.editor"
    r"|include(if\..+)?\.path|difftool\..+|mergetool\..+|uploadpack\.packobjectshook|extensions\..+|submodule\..+\.update|trailer\..+|browser\..+|web\.browser|help\.(format|browser)|man\..+|tar\..+\.command"
)
_NETWORK = re.compile(
    r"core\.(sshcommand|gitproxy|askpass)|credential.*\.helper|remote\..+\.(uploadpack|receivepack|vcs|proxy)|url\..+|protocol\..+|http\..+"
)
_HOOK_OF_QUERIES = "post-index-change"
"""git runs it when `status` or `diff` refresh the index; the other hooks belong to commands that change something."""
_HARMLESS_VALUE = re.compile(r"(?:git[- ]lfs(?: [\w% .-]*)?|true|false|cat|less|)", re.IGNORECASE)
_FSMONITOR_BUILT_IN = re.compile(r"true|false|1|0|yes|no|on|off|", re.IGNORECASE)


def dangers(base: str, changes: Sequence[str], *, network: bool) -> tuple[str, ...]:
    """The keys in the repository's config, and the hook, that make git run something, for a git that runs in `base`
    after `changes` of directory. `network`: also those that count for fetch and push. What cannot be read is a danger.
    """
    found: dict[str, None] = {}
    try:
        for folder in git_folders(Path(base).joinpath(*changes)):
            found.update(_of_folder(folder, network))
    except UnreadableError:
        found["submodules"] = None
    return tuple(found)


def _of_folder(folder: Path, network: bool) -> dict[str, None]:
    found: dict[str, None] = {}
    for file in _within(folder):
        if os.access(file.parent / "hooks" / _HOOK_OF_QUERIES, os.X_OK):
            found[f"hooks/{_HOOK_OF_QUERIES}"] = None
        try:
            text = file.read_bytes()[: _LARGEST + 1].decode("utf-8", "replace")
        except OSError:
            continue
        if len(text) > _LARGEST:
            found[str(file)] = None
            continue
        for key, value in _settings(text):
            relevant = _RUNS.fullmatch(key) or (network and _NETWORK.fullmatch(key))
            if relevant and not _is_harmless(key, value):
                found[key] = None
    return found


def _within(directory: Path) -> Iterator[Path]:
    yield directory / "config"
    yield directory / "config.worktree"
    common = directory / "commondir"
    if common.is_file():
        yield directory / common.read_text(encoding="utf-8", errors="replace").strip() / "config"


def _settings(text: str) -> Iterator[tuple[str, str]]:
    """Keys in lower case, `section.subsection.name`."""
    section = ""
    for raw in text.replace("\\\n", "").splitlines():
        line = raw.strip()
        heading = re.match(r'\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)', line)
        if heading:
            section = heading[1].lower() + (f".{heading[2]}".lower() if heading[2] is not None else "")
            line = heading[3].strip()
        if not line or line[0] in "#;":
            continue
        name, _, value = line.partition("=")
        yield f"{section}.{name.strip().lower()}", value.strip().strip('"')


def _is_harmless(key: str, value: str) -> bool:
    if key == "core.fsmonitor":
        return _FSMONITOR_BUILT_IN.fullmatch(value) is not None
    if key.startswith("extensions."):
        return True
    if key == "core.worktree":
        return True
    return _HARMLESS_VALUE.fullmatch(value) is not None

"""Taking files back to how they were at an earlier moment of a session."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.checkpoints import Checkpoints
from mewcode.workspace.files_read import digest_of
from mewcode.workspace.opening import open_place
from mewcode.workspace.place import Place
from mewcode.workspace.text_files import read_whole
from mewcode.workspace.writing import remove_file, replace_file

_STEP = "rewind"
_MOST_BYTES = 256 << 20


class Fate(str, Enum):
    """What becomes, or would become, of a file."""

    RESTORED = "restored"
    REMOVED = "removed"
    UNCHANGED = "unchanged"
    CHANGED_SINCE = "changed_since"
    """Somebody else changed it after the tools did: left alone unless asked for."""
    LOST = "lost"
    """Its old content cannot be had, or its path may not be written any more."""


@dataclass(frozen=True)
class Rewound:
    path: Path
    fate: Fate
    reason: str = ""


@dataclass(frozen=True)
class _Target:
    path: Path
    wanted: str | None
    mode: int | None
    left_by_tools: str | None


def preview(checkpoints: Checkpoints, session: str, position: int, access: Access) -> tuple[Rewound, ...]:
    """What `rewind` would do, file by file."""
    return tuple(
        _take_back(checkpoints, session, target, access, really=False, force=False)
        for target in _targets(checkpoints, session, position)
    )


def rewind(
    checkpoints: Checkpoints, session: str, position: int, access: Access, *, force: bool = False
) -> tuple[Rewound, ...]:
    """Gives every file that tools changed since `position` (Checkpoints.position) its content of that moment.

    Files that changed since by another hand keep what they have, unless `force`. Can itself be taken back.
    """
    return tuple(
        _take_back(checkpoints, session, target, access, really=True, force=force)
        for target in _targets(checkpoints, session, position)
    )


def _targets(checkpoints: Checkpoints, session: str, position: int) -> list[_Target]:
    """For each file its content before the first of the changes, and what the last of them left."""
    targets: dict[str, _Target] = {}
    for change in checkpoints.changes(session, position):
        first = targets.get(change.path)
        wanted, mode = (first.wanted, first.mode) if first else (change.before, change.mode)
        targets[change.path] = _Target(Path(change.path), wanted, mode, change.after)
    return list(targets.values())


def _take_back(
    checkpoints: Checkpoints, session: str, target: _Target, access: Access, *, really: bool, force: bool
) -> Rewound:
    shown = str(target.path)
    try:
        with access.locate(shown, for_writing=True) as place:
            data = _content(place, shown)
            now = None if data is None else digest_of(data)
            if now == target.wanted:
                return Rewound(target.path, Fate.UNCHANGED)
            if now != target.left_by_tools and not force:
                return Rewound(target.path, Fate.CHANGED_SINCE)
            return _give_back(checkpoints, session, target, place, data, really=really)
    except WorkspaceError as error:
        return Rewound(target.path, Fate.LOST, str(error))


def _give_back(
    checkpoints: Checkpoints, session: str, target: _Target, place: Place, data: bytes | None, *, really: bool
) -> Rewound:
    wanted = None if target.wanted is None else checkpoints.contents.get(target.wanted)
    if target.wanted is not None and wanted is None:
        return Rewound(target.path, Fate.LOST, "its old content is not kept any more")
    fate = Fate.REMOVED if wanted is None else Fate.RESTORED
    if not really:
        return Rewound(target.path, fate)
    checkpoints.before_write(session, _STEP, target.path, data, target.mode)
    if wanted is None:
        remove_file(place, str(target.path))
        return Rewound(target.path, fate)
    replace_file(place, wanted, str(target.path), mode=target.mode)
    checkpoints.after_write(session, _STEP, target.path, digest_of(wanted))
    return Rewound(target.path, fate)


def _content(place: Place, shown: str) -> bytes | None:
    if place.stat() is None:
        return None
    with open_place(place, shown) as file:
        return read_whole(file, shown, _MOST_BYTES)

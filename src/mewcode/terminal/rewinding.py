"""Going back to an earlier message: the conversation as a new session, and by choice the files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mewcode.agent.user_message import is_persons

if TYPE_CHECKING:
    from mewcode.agent.journal import Record
    from mewcode.agent.sessions import SessionStore
    from mewcode.workspace.checkpoints import Change, Checkpoints
    from mewcode.workspace.rewind import Rewound

REWIND_STEP = "rewind"
"""What a rewind's own writes are noted under."""


@dataclass(frozen=True)
class Moment:
    """Just before a message of the person: `record` counts the records before it, `calls` are the ids of the calls
    that had been made by then."""

    text: str
    record: int
    calls: frozenset[str]


def moments_of(records: Sequence["Record"]) -> list[Moment]:
    """One for each message of the person since the newest compaction, the oldest first."""
    found: list[Moment] = []
    calls: set[str] = set()
    for index, record in enumerate(records):
        if record.get("type") == "compacted":
            found.clear()
        message: dict[str, Any] = record.get("message") or {}
        if record.get("type") == "message" and message.get("kind") == "request" and (text := _prompt(message)):
            found.append(Moment(text, index, frozenset(calls)))
        calls.update(_call_ids(message))
    return found


def fork_before(store: "SessionStore", session_id: str, moment: Moment) -> str:
    """Makes a session that ends where the moment begins, and returns its id. The old one stays as it is."""
    records = list(store.records(session_id))
    header = records[0]
    fork = store.create(Path(str(header["workspace"])), str(header.get("model", "")), parent=session_id)
    try:
        for record in records[1 : moment.record]:
            fork.journal.append(record)
        fork.journal.sync()
    finally:
        fork.close()
    return fork.id


def take_files_back(
    store: "SessionStore",
    checkpoints: "Checkpoints",
    session_id: str,
    moment: Moment,
    workspace: Path,
    *,
    really: bool,
    force: bool = False,
) -> list["Rewound"]:
    """What becomes, or would become, of the files that tools changed since the moment, in this session and in those
    that it was forked from. File work: call it in a thread."""
    from mewcode.workspace.access import Access
    from mewcode.workspace.rewind import preview, rewind

    access = Access((workspace,))
    found: list[Rewound] = []
    for one in _line_of(store, session_id):
        position = _position(checkpoints.changes(one), moment.calls)
        if really:
            found += rewind(checkpoints, one, position, access, force=force)
        else:
            found += preview(checkpoints, one, position, access)
    return found


def _line_of(store: "SessionStore", session_id: str) -> Iterator[str]:
    """The session and those before it, the newest first."""
    seen: set[str] = set()
    current: str | None = session_id
    while current and current not in seen:
        seen.add(current)
        yield current
        header: dict[str, Any] = next(store.records(current), dict[str, Any]())
        current = header.get("parent")


def _position(changes: Sequence["Change"], calls: frozenset[str]) -> int:
    """The index of the first change that a later call made."""
    later = (index for index, one in enumerate(changes) if one.step not in calls and one.step != REWIND_STEP)
    return next(later, len(changes))


def _prompt(message: dict[str, Any]) -> str:
    """The person's own words in a saved request; "" where there are none."""
    for part in message.get("parts", ()):
        content = part.get("content")
        if part.get("part_kind") == "user-prompt" and isinstance(content, str) and is_persons(content):
            return content
    return ""


def _call_ids(message: dict[str, Any]) -> Iterator[str]:
    for part in message.get("parts", ()):
        if part.get("part_kind") == "tool-call":
            yield str(part.get("tool_call_id"))

"""What the gate needs from the rest of the house; `app` fills it in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from mewcode.calls import ToolCall
from mewcode.governance.questions import GOOD_FOR
from mewcode.governance.tool_changes import NoChanges, ToolChanges


def _nothing_readable(call: ToolCall) -> tuple[Path, ...]:
    return ()


async def _forget(rule: str, file: str) -> None:
    return


@dataclass(frozen=True)
class PermitPorts:
    """`roots` and `readable` give a call's workspace folders and further folders to read (absolute, resolved).
    `remember` writes an allow rule into a settings file ("always"); `rules_file` is the file that it is offered for.
    A question may be answered for `good_for` seconds. `changes` knows which tools are no longer what they were.
    """

    roots: Callable[[ToolCall], tuple[Path, ...]]
    readable: Callable[[ToolCall], tuple[Path, ...]] = _nothing_readable
    remember: Callable[[str, str], Awaitable[None]] = _forget
    rules_file: str = ""
    good_for: float = GOOD_FOR
    changes: ToolChanges = field(default_factory=NoChanges)

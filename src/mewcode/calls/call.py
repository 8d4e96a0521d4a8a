"""A call of a tool on its way through the gate."""

import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from mewcode.calls.principal import Principal

Json: TypeAlias = Any
"""Any JSON value. Arguments are validated against the tool's schema before anybody looks into them."""


class Channel(Protocol):
    """The way back to the caller while a call runs."""

    async def progress(self, done: float, total: float | None, note: str | None) -> None: ...

    async def log(self, level: str, text: str) -> None: ...

    async def output(self, text: str) -> None:
        """Live output of a command, as it comes."""
        ...


class SilentChannel:
    """For callers who want only the result."""

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        return

    async def log(self, level: str, text: str) -> None:
        return

    async def output(self, text: str) -> None:
        return


@dataclass(frozen=True)
class Scope:
    """Where a call may read and write. Roots are absolute and resolved; patterns are gitignore patterns under a root.

    `read_only_roots` may be read, never written (a session's saved outputs).
    """

    roots: tuple[Path, ...] = ()
    read_only_roots: tuple[Path, ...] = ()
    read: tuple[str, ...] = ("**",)
    write: tuple[str, ...] = ("**",)


@dataclass(frozen=True)
class Round:
    """One round of a call whose client answers questions by calling again (MCP's `input_required`).

    `capabilities` are what the client declares that it can be asked; `state` and `responses` are what it brings from
    the round before. All three are MCP's own objects, as they came.
    """

    capabilities: Mapping[str, Json] = field(default_factory=dict[str, Any])
    state: str | None = None
    responses: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class ToolCall:
    """What a door asks of the gate. `tool` is the name as the caller gave it; `scope` and `deadline` (seconds) are
    filled in by the gate before a tool sees the call."""

    tool: str
    arguments: Mapping[str, Json]
    session: str
    principal: Principal
    id: str = field(default_factory=lambda: f"call_{uuid.uuid4().hex[:16]}")
    parent: str | None = None
    scope: Scope = field(default_factory=Scope)
    deadline: float | None = None
    channel: Channel = field(default_factory=SilentChannel, compare=False, repr=False)
    asking: Callable[[], AbstractContextManager[None]] = field(default=nullcontext, compare=False, repr=False)
    """Entered by whoever asks a person for the tool meanwhile: the deadlines of the call stand still."""
    round: Round | None = field(default=None, compare=False, repr=False)
    """Set where what a server asks goes back to the caller instead of being answered here."""

"""Goes through the handshake with one server step by step, for `mewcode mcp test`."""

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from mewcode.mcp.attempt import Attempt
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import RpcError, TimedOutError
from mewcode.mcp.failure import explain
from mewcode.mcp.listing import Fetch, all_entries
from mewcode.mcp.naming import prefix_of
from mewcode.mcp.starting import prepare, start_process
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.voice import ServerVoice

if TYPE_CHECKING:
    from mewcode.mcp.session import Session


@dataclass(frozen=True)
class Step:
    """One step, how long it took (seconds), and what it found."""

    name: str
    seconds: float
    found: str


@dataclass
class Examination:
    """What came out. `error` explains the failure with its remedy; `stage` is where it happened."""

    steps: list[Step] = field(default_factory=list[Step])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    notices: tuple[str, ...] = ()
    stderr: str = ""
    error: str | None = None
    stage: str = ""
    seconds: float = 0.0


async def examine(definition: ServerDefinition, around: Surroundings, tell: Callable[[Step], None]) -> Examination:
    """Connects, lists, disconnects. `tell` hears of each step as it is done."""
    result = Examination()
    attempt = Attempt(0)
    voice = ServerVoice(definition, around.ports, lambda: (around.workspace,))
    await around.sdk.load()
    clock = _Clock(result, tell)
    try:
        with anyio.CancelScope(deadline=anyio.current_time() + definition.connect_timeout) as scope:
            async with AsyncExitStack() as stack:
                await _steps(definition, around, attempt, voice, clock, stack)
                scope.deadline = float("inf")
        if scope.cancelled_caught:
            raise TimedOutError(definition.connect_timeout)
    except Exception as error:  # noqa: BLE001  explaining what went wrong is what this is for
        result.error = definition.hide(str(explain(error, attempt, definition)))
        result.stage, result.seconds = attempt.stage, clock.since()
    result.notices = tuple(voice.notices)
    result.stderr = attempt.stderr
    return result


class _Clock:
    def __init__(self, result: Examination, tell: Callable[[Step], None]) -> None:
        self._result = result
        self._tell = tell
        self._began = time.monotonic()

    def since(self) -> float:
        return time.monotonic() - self._began

    def count(self, kind: str, number: int) -> None:
        self._result.counts[kind] = number

    def done(self, name: str, found: str) -> None:
        step = Step(name, self.since(), found)
        self._result.steps.append(step)
        self._tell(step)
        self._began = time.monotonic()


async def _steps(
    definition: ServerDefinition,
    around: Surroundings,
    attempt: Attempt,
    voice: ServerVoice,
    clock: _Clock,
    stack: AsyncExitStack,
) -> None:
    if definition.command:
        server = await start_process(definition, around, attempt, prefix_of(definition.name).strip("_"))
        stack.push_async_callback(server.stop)
        clock.done("start", f"{definition.target} (pid {server.process.pid})")
    opening = await prepare(definition, around, attempt, voice, None)
    from mewcode.mcp.opening import open_server

    session = await stack.enter_async_context(open_server(opening, attempt))
    name = f"{session.server_name} {session.server_version}".strip() or "-"
    clock.done("handshake", f"{session.era}, {session.version}; {name}")
    clock.done("capabilities", ", ".join(sorted(session.capabilities)) or "-")
    attempt.stage = "tools/list"
    await _count(session.list_tools, "tools", "name", session, voice, clock)
    for kind, fetch, identity in (
        ("resources", session.list_resources, "uri"),
        ("prompts", session.list_prompts, "name"),
    ):
        if kind in session.capabilities:
            attempt.stage = f"{kind}/list"
            await _count(fetch, kind, identity, session, voice, clock)


async def _count(fetch: Fetch, kind: str, identity: str, session: "Session", voice: ServerVoice, clock: _Clock) -> None:
    try:
        found = await all_entries(fetch, kind, identity, voice.noise)
    except RpcError as error:
        if kind == "tools" and kind in session.capabilities:
            raise
        clock.done(kind, f"- ({error})")
        return
    if kind == "tools" and kind not in session.capabilities:
        voice.noise("it does not declare the capability `tools`; clients other than MewCode may not ask for them")
    clock.count(kind, len(found))
    names = ", ".join(str(entry[identity]) for entry in found[:12])
    clock.done(kind, f"{len(found)}: {names}{', …' if len(found) > 12 else ''}" if found else "0")

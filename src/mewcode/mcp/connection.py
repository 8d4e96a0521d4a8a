"""One configured server: its process or endpoint, its state, and the road for every request to it.

One owner task (`run`) opens and closes the SDK's client, again and again; everybody else calls through here. The SDK
is imported when the first attempt needs it, in a thread, while the server's process already starts.
"""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio

from mewcode.mcp.attempt import Attempt
from mewcode.mcp.clean import clean, cut
from mewcode.mcp.definition import Era, ServerDefinition
from mewcode.mcp.errors import ConnectError, RpcError, ServerGoneError, TimedOutError
from mewcode.mcp.failure import explain
from mewcode.mcp.following import follow_changes
from mewcode.mcp.listing import all_entries
from mewcode.mcp.starting import prepare, start_process
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.tool_definition import ToolDefinition
from mewcode.mcp.voice import ServerVoice
from mewcode.messages import message
from mewcode.tools import ServerSource, ServerState

if TYPE_CHECKING:
    from mewcode.mcp.session import Session

T = TypeVar("T")
Listed = Callable[["Connection", list[ToolDefinition]], None]

MOST_FIRST_ATTEMPTS = 5
"""Attempts to reach a server that never was ready, after which only a person (or a call) tries again."""
WAIT_FOR_RETURN = 15.0
"""Seconds that a call waits for a server that was there before, at most."""
SHORT_LIFE = 10.0
"""Seconds: a connection lost sooner counts as a failed attempt, so that a server that keeps dying is not restarted
without pause."""
_METHOD_NOT_FOUND = -32601
_CLOSED = -32000
_NOT_SENT = -33010
_BROKEN_OFF = -33011
_GONE = (_CLOSED, _NOT_SENT, -33013)
"""The SDK's "connection closed", and the codes of `wire` and `transports.soft` for a lost request or session."""
_UNAVAILABLE = (
    ServerState.OFF,
    ServerState.NEEDS_TRUST,
    ServerState.NEEDS_AUTH,
    ServerState.FAILED,
    ServerState.STOPPED,
)


class Connection:
    """Start `run` in a task group; `stop` ends it. `listed` is told the tools after every listing."""

    def __init__(
        self,
        definition: ServerDefinition,
        source: ServerSource,
        around: Surroundings,
        listed: Listed,
        known_era: Era | None = None,
    ) -> None:
        self.definition = definition
        self.source = source
        self.voice = ServerVoice(definition, around.ports, self._roots)
        self.session: Session | None = None
        self.attempt: Attempt | None = None
        self.subscriptions: set[str] = set()
        self.version: str | None = None
        self.instructions = ""
        """What the server tells models about itself; cut, and to be fenced as foreign."""
        self.following = anyio.Event()
        self.known_era: Era | None = known_era
        self._around = around
        self._listed = listed
        self._opening: anyio.CancelScope | None = None
        self._was_ready = False
        self._lived_long = True
        self._stopping = anyio.Event()
        self._again = anyio.Event()
        self._changed = anyio.Event()
        self._ended = anyio.Event()

    async def run(self) -> None:
        """Connects, and reconnects whenever the connection is lost, until `stop`."""
        failures = 0
        try:
            while not self._stopping.is_set():
                error = await self._attempt(failures)
                if self._stopping.is_set():
                    break
                failures = 1 if self._lived_long else failures + 1
                if error is not None or failures > 1:
                    await self._rest(error or ConnectError("mcp.lost"), failures)
        finally:
            self.session = None
            self._move(ServerState.STOPPED)
            self._ended.set()

    async def stop(self) -> None:
        """Ends the connection and its process, and waits until both are gone."""
        self._stopping.set()
        self._again.set()
        if self.attempt is not None:
            self.attempt.lost.set()
        if self._opening is not None:
            # A server that never answers must not hold up the end.
            self._opening.cancel()
        await self._ended.wait()

    def reconnect(self) -> None:
        """Tries at once, whatever the state."""
        if self.session is None and self.source.state in _UNAVAILABLE:
            self._move(ServerState.CONNECTING)
        self._again.set()
        if self.session is not None and self.attempt is not None:
            self.attempt.lost.set()

    async def ready(self, longest: float) -> "Session":
        """The open session; waits for it at most `longest` seconds. Raises ServerGoneError."""
        if self.session is not None:
            return self.session
        if self.source.state not in _UNAVAILABLE:
            self._again.set()
            with anyio.move_on_after(min(longest, self._patience())):
                while self.session is None and self.source.state not in _UNAVAILABLE:
                    await self._changed.wait()
        if self.session is None:
            raise self.gone()
        return self.session

    def gone(self) -> ServerGoneError:
        """Says that the server is not there, and why."""
        state = self.source.state.value
        return ServerGoneError("mcp.gone", server=self.definition.name, state=state, error=self.source.error or "")

    async def read(self, ask: Callable[["Session"], Awaitable[T]], longest: float) -> T:
        """A request that changes nothing (a list, a resource): once more after a lost connection.

        `longest` is in seconds. Raises RpcError, TimedOutError or ServerGoneError.
        """
        with anyio.move_on_after(longest) as scope:
            for last in (False, True):
                session = await self.ready(longest)
                try:
                    return await ask(session)
                except RpcError as error:
                    if last or not self.lost_by(error):
                        raise
        assert scope.cancelled_caught
        raise TimedOutError(longest)

    def lost_by(self, error: RpcError) -> bool:
        """Whether an error means that a request was lost with its connection; where that was more than the request's
        own, all is opened anew."""
        if error.code == _BROKEN_OFF or (error.code == _CLOSED and error.message.startswith("SSE stream")):
            return True
        if error.code not in _GONE or (error.code == _CLOSED and not error.message.startswith("Connection closed")):
            return False
        if error.code == _NOT_SENT and self._answers_others():
            return True
        self._drop()
        return True

    def _answers_others(self) -> bool:
        """Whether the server works on requests: one that restarts in order ends those, but takes no new one."""
        wire = self.attempt.wire if self.attempt is not None else None
        return wire is not None and any(method != "subscriptions/listen" for method in wire.pending.values())

    def follow_again(self) -> None:
        """The new era's stream of changes carries the subscriptions: it is opened anew with those of now."""
        self.following.set()

    async def roots_changed(self) -> None:
        """Tells a server of the old era that the roots are others; in the new one it asks when it wants them."""
        if self.session is not None and self.session.era == "legacy":
            await self.session.roots_changed()

    async def refresh(self) -> None:
        """Asks for the tools again and tells `listed`."""
        if self.session is not None:
            self._listed(self, await self._list(self.session))

    async def _attempt(self, failures: int) -> ConnectError | None:
        """One life of the connection. None when it was ready and then lost; else why it never was."""
        attempt = self.attempt = Attempt(failures)
        self._again = anyio.Event()
        self._lived_long = False
        was_ready = False
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + self.definition.connect_timeout) as scope:
                self._opening = scope
                async with AsyncExitStack() as stack:
                    session = await self._open(attempt, stack, scope)
                    attempt.stage = "tools/list"
                    tools = await self._list(session)
                    scope.deadline = float("inf")
                    self._opening = None
                    was_ready = True
                    self._came(session, tools)
                    began = anyio.current_time()
                    await self._live(session, attempt)
                    self._lived_long = anyio.current_time() - began > SHORT_LIFE
            if scope.cancelled_caught:
                raise TimedOutError(self.definition.connect_timeout)
        except Exception as error:  # noqa: BLE001  whatever a server does, it costs this attempt and nothing else
            if was_ready:
                self.voice.noise(f"the connection broke: {explain(error, attempt, self.definition)}")
                return None
            if self._stopping.is_set():
                return None
            if attempt.died_of_probe and self.known_era is None:
                self.known_era = "legacy"
                return await self._attempt(failures)
            self.known_era = None
            explained = explain(error, attempt, self.definition)
            if attempt.wire is not None and attempt.wire.unanswered and failures == 0:
                # Perhaps it was only too slow for the probe, and what it refused was the old handshake.
                explained.final = False
            return explained
        finally:
            self._opening = None
            self._drop()
        return None

    async def _open(self, attempt: Attempt, stack: AsyncExitStack, scope: anyio.CancelScope) -> "Session":
        definition, around = self.definition, self._around
        if definition.command:
            server = await start_process(definition, around, attempt, self.source.prefix.strip("_"))
            stack.push_async_callback(server.stop)
        opening = await prepare(definition, around, attempt, self.voice, self.known_era)
        # The import of the SDK is ours: it does not take of the server's time.
        scope.deadline = anyio.current_time() + definition.connect_timeout
        from mewcode.mcp.opening import open_server

        session = await stack.enter_async_context(open_server(opening, attempt))
        if definition.era == "modern" and session.era != "modern":
            raise ConnectError("mcp.not_modern", final=True, version=session.version)
        return session

    async def _list(self, session: "Session") -> list[ToolDefinition]:
        """All tools. A server that declares none is asked all the same: some forget to say so."""
        declared = "tools" in session.capabilities
        try:
            found = await all_entries(session.list_tools, "tools", "name", self.voice.noise, self._around.max_tools)
        except RpcError as error:
            if declared or self.lost_by(error) or error.code != _METHOD_NOT_FOUND:
                raise
            return []
        if found and not declared:
            self.voice.noise(f"it does not declare the capability `tools` but lists {len(found)}")
        return list({wire["name"]: ToolDefinition.read(wire) for wire in found}.values())

    def _came(self, session: "Session", tools: list[ToolDefinition]) -> None:
        late = session.wire.answered_late
        self.known_era = None if late and session.era == "legacy" else session.era
        self.session = session
        self._was_ready = True
        self.source.era = session.era
        self.version = session.version
        self.instructions = cut(clean(session.instructions), self._around.instructions_bytes)
        self._listed(self, tools)
        self._move(ServerState.READY)

    async def _live(self, session: "Session", attempt: Attempt) -> None:
        """Until the connection is lost, or stopped, or to be opened anew."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow_changes, self, session)
            tasks.start_soon(_set_when, session.wire.closed, attempt.lost)
            await attempt.lost.wait()
            self._drop()
            tasks.cancel_scope.cancel()

    def _drop(self) -> None:
        """No call may use this session any more."""
        if self.attempt is not None:
            self.attempt.lost.set()
        if self.session is not None:
            self.session = None
            self._move(ServerState.RETRYING, message("mcp.lost"))

    async def _rest(self, error: ConnectError, failures: int) -> None:
        """Waits before the next attempt; for ever where another attempt has no chance."""
        if error.needs_auth:
            self._move(ServerState.NEEDS_AUTH, str(error))
        elif error.final or (failures >= MOST_FIRST_ATTEMPTS and not self._was_ready):
            self._move(ServerState.FAILED, str(error))
        else:
            self._move(ServerState.RETRYING, str(error))
        if self.source.state is not ServerState.RETRYING:
            await self._again.wait()
            return
        with anyio.move_on_after(max(self._around.backoff.pause(failures), error.retry_after or 0)):
            await self._again.wait()

    def _patience(self) -> float:
        return WAIT_FOR_RETURN if self._was_ready else self.definition.connect_timeout + 5

    def _move(self, state: ServerState, error: str | None = None) -> None:
        self.source.move(state, error)
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    def _roots(self) -> tuple[Path, ...]:
        if self.definition.roots is not None:
            return tuple((self._around.workspace / root).resolve() for root in self.definition.roots)
        return self._around.roots() if self._around.roots else (self._around.workspace,)


async def _set_when(first: anyio.Event, then: anyio.Event) -> None:
    await first.wait()
    then.set()

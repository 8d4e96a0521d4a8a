"""Follows what a server says has changed, in both eras, and restores what was subscribed to."""

from typing import TYPE_CHECKING

import anyio

from mewcode.mcp.errors import RpcError
from mewcode.mcp.shapes import as_object

if TYPE_CHECKING:
    from mewcode.mcp.connection import Connection
    from mewcode.mcp.session import Session

DEBOUNCE = 0.05
"""Seconds to wait for further changes before the tools are listed again."""
_REFUSED = (-32601, -32602, -32600)


async def follow_changes(connection: "Connection", session: "Session") -> None:
    """Runs as long as the session is open."""
    connection.voice.changed = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_list_again, connection)
        if session.era == "modern":
            tasks.start_soon(_listen, connection, session)
        else:
            tasks.start_soon(_restore, connection, session)


async def _list_again(connection: "Connection") -> None:
    while True:
        await connection.voice.changed.wait()
        await anyio.sleep(DEBOUNCE)
        connection.voice.changed = anyio.Event()
        try:
            with anyio.move_on_after(connection.definition.connect_timeout):
                await connection.refresh()
        except RpcError as error:
            connection.voice.noise(f"its tools could not be listed again: {error}")


async def _listen(connection: "Connection", session: "Session") -> None:
    """Holds the stream of changes open. What was missed in between is asked for whenever the stream stands again."""
    pause = 1.0
    while True:
        if not (_may_change(session) or connection.subscriptions):
            await connection.following.wait()
        connection.following = anyio.Event()
        started = anyio.current_time()
        refused = False
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_cancel_when, connection.following, tasks.cancel_scope)
            refused = await _refused(connection, session)
            tasks.cancel_scope.cancel()
        if refused:
            return
        if connection.following.is_set():
            continue
        pause = 1.0 if anyio.current_time() - started > 60 else min(pause * 2, 30.0)
        await anyio.sleep(pause)


async def _refused(connection: "Connection", session: "Session") -> bool:
    """Follows until the stream ends; whether the server does not offer one at all."""
    try:
        await session.follow(connection.voice, sorted(connection.subscriptions))
    except RpcError as error:
        return error.code in _REFUSED
    return False


async def _cancel_when(event: anyio.Event, scope: anyio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


def _may_change(session: "Session") -> bool:
    """Whether the server says that any of its lists may change, or that resources can be subscribed to."""
    kinds = [as_object(session.capabilities.get(kind)) for kind in ("tools", "prompts", "resources")]
    return any(kind.get("listChanged") or kind.get("subscribe") for kind in kinds)


async def _restore(connection: "Connection", session: "Session") -> None:
    """After a (re)connection in the old era: the log level and the subscriptions are the session's, and are gone."""
    try:
        if "logging" in session.capabilities:
            await session.set_log_level("info")
        for uri in sorted(connection.subscriptions):
            await session.subscribe(uri)
    except RpcError as error:
        connection.voice.noise(f"what was subscribed to could not be restored: {error}")

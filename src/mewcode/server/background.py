"""What runs beside the requests as long as the server serves."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from mewcode.server.changes import Changes
from mewcode.server.gateway.relay import Relay
from mewcode.server.gateway.suspensions import Suspensions
from mewcode.server.sessions import LiveSessions
from mewcode.server.watching import Watching


@asynccontextmanager
async def background(
    relay: Relay, changes: Changes, watching: Watching, sessions: LiveSessions, suspensions: Suspensions
) -> AsyncGenerator[None, None]:
    async with anyio.create_task_group() as tasks:
        await tasks.start(suspensions.run)
        tasks.start_soon(relay.run)
        tasks.start_soon(changes.run)
        tasks.start_soon(sessions.run)
        tasks.start_soon(watching.run, changes.updated)
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()

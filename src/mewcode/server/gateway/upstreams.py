"""Waits for the upstream servers as one principal has them."""

import anyio

from mewcode.app.house import App
from mewcode.calls import Principal
from mewcode.governance.reach import may_reach
from mewcode.mcp.errors import ServerGoneError

WAIT = 15.0
"""Seconds from a server's start for which lists wait for it; what comes later is announced, and holds up nothing."""


async def upstreams(app: App, principal: Principal) -> None:
    """Until the servers have come or failed, or had their time. Where each principal has a connection of its own, the
    caller's is opened here the first time, if one of its roles has anything to do with the server."""
    with anyio.move_on_after(WAIT):
        await app.servers.wait_all(WAIT)
        owned = [name for name in app.servers.servers if app.servers.is_owned(name)]
        async with anyio.create_task_group() as tasks:
            for name in owned:
                if may_reach(app.policy, principal, name):
                    tasks.start_soon(_meet, app, name, principal.name)


async def _meet(app: App, server: str, principal: str) -> None:
    try:
        await app.servers.meet(server, principal, WAIT)
    except ServerGoneError:
        return  # a call of its tools says why

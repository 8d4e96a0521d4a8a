"""/mcp login: a person logs in to a server over HTTP, without leaving the session."""

import asyncio
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.choosing import ask_text
from mewcode.terminal.elicitation import open_page

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.terminal.session import Session


async def log_in(session: "Session", app: "App", name: str) -> None:
    """Opens the page, waits for the browser to come back or for the address to be pasted, and connects again."""
    from mewcode.errors import RefusedError, UsageError
    from mewcode.mcp.launch import stored_logins
    from mewcode.mcp.login_listener import LoginListener
    from mewcode.mcp.login_session import first_login

    definition = app.servers.servers[name].definition
    if not definition.url:
        raise UsageError("mcp.no_login_for_stdio", server=name)
    if not definition.trusted:
        raise RefusedError("mcp.needs_trust", server=name, target=definition.target)

    def tell(url: str) -> None:
        session.screen.print(message("mcp.open_page", url=url), "accent")
        open_page(url)

    port = definition.oauth.redirect_port if definition.oauth else None
    left = asyncio.Event()

    async def paste() -> str:
        text = await ask_text(session.screen, message("terminal.paste_address"))
        if text is None:
            left.set()
        return text or ""

    async with LoginListener(tell, paste, port) as person:
        login = asyncio.ensure_future(first_login(definition, stored_logins(app.paths), person))
        leaving = asyncio.ensure_future(left.wait())
        try:
            await asyncio.wait([login, leaving], return_when=asyncio.FIRST_COMPLETED)
            tools = login.result() if login.done() else None
        finally:
            login.cancel()
            leaving.cancel()
            await asyncio.gather(login, leaving, return_exceptions=True)
    if tools is None:
        session.screen.print(message("terminal.login_left", name=name), "dim")
        return
    session.screen.print(message("mcp.logged_in", server=name, tools=tools), "ok")
    app.servers.reconnect(name)

"""/mcp and /tools: the servers, what they offer, and how to mend them."""

import shlex
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.commands.listing import print_pairs, print_rows
from mewcode.terminal.slash import Command

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.terminal.session import Session
    from mewcode.tools import ServerSource

LOG_LINES = 15
_SIGNS = {"ready": ("✓", "ok"), "connecting": ("…", "warn"), "retrying": ("…", "warn"), "off": ("·", "dim")}


async def show_servers(session: "Session", arguments: str) -> None:
    """/mcp; /mcp NAME; /mcp reconnect|enable|disable|trust|login NAME."""
    app = session.household.app
    if app is None:
        session.screen.print(message("terminal.still_opening"), "dim")
        return
    action, _, name = arguments.partition(" ")
    if action in ("reconnect", "enable", "disable", "login") and name.strip() not in app.registry.sources:
        _no_server(session, app, name.strip())
        return
    if action in ("reconnect", "enable"):
        app.servers.reconnect(name.strip())
        session.screen.print(message("terminal.reconnecting", name=name.strip()), "dim")
    elif action == "disable":
        await app.servers.disable(name.strip())
        session.screen.print(message("terminal.server_disabled", name=name.strip()), "dim")
    elif action == "trust":
        await _trust(session, app, name.strip())
    elif action == "login":
        from mewcode.terminal.login import log_in

        await log_in(session, app, name.strip())
    elif action:
        _show_one(session, app, action)
    else:
        _list(session, app)


def _list(session: "Session", app: "App") -> None:
    if not app.registry.sources:
        session.screen.print(message("terminal.no_servers"), "dim")
        return
    rows: list[tuple[str, ...]] = []
    colours = {_state(source): _sign(source)[1] for source in app.registry.sources.values()}
    for name, source in app.registry.sources.items():
        count = len(app.registry.of_server(name))
        tools = message("terminal.tool_count", count=count) if count else ""
        rows.append((f"{_sign(source)[0]} {name}", _state(source), tools, source.error or source.summary or ""))
    print_rows(session, rows, ("bold", colours, "dim", None))
    session.screen.print(message("terminal.server_actions"), "dim")


def _no_server(session: "Session", app: "App", name: str) -> None:
    session.screen.print(message("terminal.no_server", name=name, known=", ".join(app.registry.sources) or "-"), "bad")


def _sign(source: "ServerSource") -> tuple[str, str]:
    """Mark and colour."""
    return _SIGNS.get(source.state.value, ("✗", "bad"))


def _state(source: "ServerSource") -> str:
    return message(f"terminal.state_{source.state.value.replace('-', '_')}")


def _show_one(session: "Session", app: "App", name: str) -> None:
    source = app.registry.sources.get(name)
    if source is None:
        _no_server(session, app, name)
        return
    definition = app.servers.servers[name].definition
    print_pairs(
        session,
        [
            (message("terminal.word_state"), _state(source)),
            (message("terminal.word_transport"), f"{source.transport} {source.era or ''}".strip()),
            (
                message("terminal.word_runs"),
                shlex.join(definition.command) if definition.command else definition.url or "",
            ),
            *([(message("terminal.word_error"), source.error)] if source.error else []),
        ],
    )
    next_step = {
        "failed": "reconnect",
        "retrying": "reconnect",
        "needs-auth": "login",
        "needs-trust": "trust",
        "off": "enable",
    }
    if source.state.value in next_step:
        command = f"/mcp {next_step[source.state.value]} {name}"
        session.screen.print(message("terminal.server_next", command=command), "accent")
    tools = app.registry.of_server(name)
    print_rows(session, [(tool.original_name, tool.description) for tool in tools], ("accent", "dim"))
    for line in _log_tail(app, name):
        session.screen.print(f"  │ {line}", "dim")


def _log_tail(app: "App", name: str) -> list[str]:
    """The end of what the server wrote to standard error, as it is kept in the logs."""
    from mewcode.agent.render import clean

    files = sorted(app.paths.logs.glob(f"*{name}*"), key=lambda path: path.stat().st_mtime)
    if not files:
        return []
    with files[-1].open("rb") as file:
        file.seek(max(0, files[-1].stat().st_size - 8192))
        return clean(file.read().decode("utf-8", errors="replace")).splitlines()[-LOG_LINES:]


async def _trust(session: "Session", app: "App", name: str) -> None:
    """Asks about the named proposal of the project (`rules` for its rules), or about all that wait."""
    from mewcode.terminal.consent import ask_for_consent

    waiting = [one for one in app.loaded.untrusted if name in ("", one.name, one.kind)]
    if not waiting:
        session.screen.print(message("terminal.nothing_to_trust"), "dim")
    for proposal in waiting:
        await ask_for_consent(session, app, proposal)


async def show_tools(session: "Session", arguments: str) -> None:
    app = session.household.app
    if app is None:
        return
    words = arguments.casefold().split()
    tools = [
        tool
        for tool in app.registry.view(app.principal)
        if all(word in f"{tool.name} {tool.server} {tool.description}".casefold() for word in words)
    ]
    rows = [(tool.original_name, tool.server or "", tool.description) for tool in tools]
    print_rows(session, rows, ("accent", "dim", None))
    session.screen.print(message("terminal.tool_count", count=len(rows)), "dim")


SERVERS = (
    Command("mcp", "terminal.about_mcp", show_servers, "[NAME]"),
    Command("tools", "terminal.about_tools", show_tools, "[WORDS]"),
)

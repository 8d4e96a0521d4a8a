"""`mewcode mcp`: the MCP servers of the settings."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mewcode.cli.mcp_access import login, logout, trust
from mewcode.cli.mcp_check import check_server
from mewcode.cli.mcp_import import import_servers
from mewcode.cli.mcp_settings import (
    Scope,
    check_entry,
    definition_named,
    file_of,
    load,
    refuse_in_session,
    trust_own,
)
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.errors import UsageError
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings, Paths
    from mewcode.mcp.manager import Server

app = typer.Typer(help="MCP servers: add, list, test, log in, trust.", no_args_is_help=True)
app.command("test")(check_server)
app.command()(login)
app.command()(logout)
app.command()(trust)
app.command("import")(import_servers)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The server's name in the settings.")]
InScope = Annotated[str, typer.Option("--scope", "-s", help="user (for you, everywhere) or project (.mewcode.yaml).")]


@app.command()
def add(
    name: Name,
    target: Annotated[list[str], typer.Argument(help="A URL; or -- and the command with its arguments.")],
    scope: InScope = "user",
    env: Annotated[list[str] | None, typer.Option("--env", "-e", help="KEY=VALUE; KEY alone for ${KEY}.")] = None,
    header: Annotated[list[str] | None, typer.Option("--header", "-H", help="'Name: value', for a URL.")] = None,
    transport: Annotated[str | None, typer.Option("--transport", "-t", help="stdio, http or sse.")] = None,
    cwd: Annotated[str | None, typer.Option("--cwd", help="Where the command runs.")] = None,
    timeout: Annotated[str | None, typer.Option("--timeout", help="How long a call may be silent: 30s, 5m.")] = None,
) -> None:
    """Adds a server, or replaces the one of that name.

    mewcode mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
    mewcode mcp add issues https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
    """
    entry: dict[str, Any] = _target(target)
    if env:
        entry["env"] = dict(_variable(pair) for pair in env)
    if header:
        entry["headers"] = dict(_header(line) for line in header)
    if transport == "sse":
        entry["type"] = "sse"
    more = {"cwd": cwd, "timeout": timeout}
    _write(name, entry | {key: value for key, value in more.items() if value is not None}, _scope(scope))


@app.command("add-json")
def add_json(
    name: Name,
    entry: Annotated[str, typer.Argument(help='The entry, as in mcpServers: {"command": …} or {"url": …}.')],
    scope: InScope = "user",
) -> None:
    """Adds a server from a piece of JSON, as other programs' documents show it."""
    from mewcode.mcp.foreign import translate
    from mewcode.mcp.shapes import as_object

    try:
        value = json.loads(entry)
    except ValueError as error:
        raise UsageError("mcp.bad_json", why=error) from None
    servers = as_object(as_object(value).get("mcpServers"))
    ours, left_out = translate(as_object(servers.get(name)) if servers else as_object(value))
    if left_out:
        note(message("mcp.left_out", name=name, keys=", ".join(left_out)))
    _write(name, ours, _scope(scope))


@app.command("list")
def list_servers(
    as_json: Json = False,
    offline: Annotated[bool, typer.Option("--offline", help="Do not connect; show the settings only.")] = False,
) -> None:
    """Shows every server with its state, after each has come or failed."""
    loaded, paths = load()
    rows = _offline(loaded) if offline else _connected(loaded, paths, None)
    if as_json:
        print_json(rows)
        return
    if not rows:
        note(message("mcp.none"))
    columns = ("name", "transport", "state", "era", "tools", "error")
    print_rows(columns, [[row[column] for column in columns] for row in rows])


@app.command()
def get(name: Name, as_json: Json = False) -> None:
    """Shows one server: where it is defined, what it runs, its state, its tools, what was odd about it."""
    from mewcode.mcp.naming import prefix_of
    from mewcode.mcp.shapes import as_list

    loaded, paths = load()
    definition = definition_named(name, loaded)
    row = _connected(loaded, paths, name)[0]
    shown = {
        **row,
        "scope": definition.scope,
        "defined_at": definition.place,
        "target": definition.target,
        "cwd": definition.cwd,
        "env": sorted(definition.env),
        "headers": sorted(definition.headers),
        "log": str(paths.logs / f"{prefix_of(name).strip('_')}.log") if definition.command else None,
    }
    if as_json:
        print_json(shown)
        return
    for key, value in shown.items():
        for line in as_list(value) or [value]:
            print_text(f"{key}\t{'' if line in (None, []) else line}")


@app.command()
def remove(name: Name, scope: Annotated[str | None, typer.Option("--scope", "-s")] = None) -> None:
    """Takes a server out of the settings, and forgets its login."""
    import anyio

    from mewcode.config.edit import remove_server
    from mewcode.mcp.launch import stored_logins

    refuse_in_session("mcp remove")
    loaded, paths = load()
    definition = definition_named(name, loaded)
    scopes: list[Scope] = [_scope(scope)] if scope else ["project", "user"]
    for one in scopes:
        file = file_of(one, paths)
        if remove_server(file, name, one):
            anyio.run(stored_logins(paths).logout, definition)
            note(message("mcp.removed", name=name, file=file))
            return
    raise UsageError("mcp.not_in_files", name=name, place=definition.place)


@app.command()
def enable(name: Name) -> None:
    """Starts a server again that was switched off."""
    refuse_in_session("mcp enable")
    _switch(name, True)


@app.command()
def disable(name: Name) -> None:
    """Keeps a server in the settings, but does not start it."""
    _switch(name, False)


def _switch(name: str, on: bool) -> None:
    from mewcode.config.edit import set_server_enabled

    loaded, paths = load()
    definition_named(name, loaded)
    scopes: list[Scope] = ["project", "user"]
    if not any(set_server_enabled(file_of(scope, paths), name, on, scope) for scope in scopes):
        raise UsageError("mcp.not_in_files", name=name, place=definition_named(name, loaded).place)
    note(message("mcp.enabled" if on else "mcp.disabled", name=name))


def _write(name: str, entry: dict[str, Any], scope: Scope) -> None:
    from mewcode.config.edit import add_server

    refuse_in_session("mcp add")
    check_entry(name, entry)
    _, paths = load()
    file = file_of(scope, paths)
    add_server(file, name, entry, scope)
    loaded, _ = load()
    trust_own(name, loaded, paths)
    note(message("mcp.added", name=name, file=file))


def _target(words: list[str]) -> dict[str, Any]:
    if len(words) == 1 and words[0].startswith(("http://", "https://")):
        return {"url": words[0]}
    return {"command": words[0]} | ({"args": words[1:]} if words[1:] else {})


def _variable(pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    return key, value if equals else f"${{{key}}}"


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon:
        raise UsageError("mcp.bad_header", header=line)
    return name.strip(), value.strip()


def _scope(text: str) -> Scope:
    if text == "user":
        return "user"
    if text == "project":
        return "project"
    raise UsageError("mcp.bad_scope", scope=text)


def _offline(loaded: "LoadedSettings") -> list[dict[str, Any]]:
    from mewcode.mcp.launch import definitions_of

    return [
        {
            "name": one.name,
            "transport": one.transport,
            "state": "needs-trust" if not one.trusted else "off",
            "era": None,
            "tools": 0,
            "error": one.problem,
        }
        for one in definitions_of(loaded)
    ]


def _connected(loaded: "LoadedSettings", paths: "Paths", name: str | None) -> list[dict[str, Any]]:
    import anyio

    from mewcode.mcp.launch import manager_of
    from mewcode.tools import ToolRegistry

    async def gather() -> list[dict[str, Any]]:
        manager = manager_of(loaded, paths, ToolRegistry(), only=None if name is None else [name])
        async with manager:
            await manager.wait_all()
            return [_row(server, details=name is not None) for server in manager.servers.values()]

    return anyio.run(gather)


def _row(server: "Server", *, details: bool) -> dict[str, Any]:
    from mewcode.tools import ServerState

    source = server.source
    # This command ends now: nobody will try again.
    state = ServerState.FAILED if source.state is ServerState.RETRYING else source.state
    tools = [tool.name for tool in server.tools]
    row: dict[str, Any] = {
        "name": source.name,
        "transport": source.transport,
        "state": state.value,
        "era": source.era,
        "tools": len(tools),
        "error": source.error,
        "version": server.version,
    }
    if details:
        row |= {"tool_names": tools, "notices": list(server.connection.voice.notices)}
    return row

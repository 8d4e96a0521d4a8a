"""`mewcode tools list|search|show|call`: the tool layer without a model."""

import json
import time
import uuid
from typing import TYPE_CHECKING, Annotated, Any, cast

import anyio
import typer

from mewcode.calls import Door, ErrorKind, ToolCall, ToolResult
from mewcode.cli.missing_servers import say_missing_servers
from mewcode.cli.options import Allow, AsPrincipal, Confirm, Deny, JsonOutput, McpConfig, TrustProject
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.cli.tools_search import search
from mewcode.errors import MewCodeError, UsageError
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.app.options import AppOptions

app = typer.Typer(help="List, find, show and call tools; no model is needed.", no_args_is_help=True)

app.command("search")(search)

EXIT_CODES = {
    ErrorKind.REFUSED: 3,
    ErrorKind.SERVER_MISSING: 4,
    ErrorKind.RATE_LIMITED: 6,
    ErrorKind.BREAKER_OPEN: 6,
}
"""Every other error of a call exits with 1."""


@app.command("list")
def list_tools(
    as_json: JsonOutput = False,
    mcp_config: McpConfig = None,
    trust_project: TrustProject = False,
    who: AsPrincipal = None,
) -> None:
    """All tools that you may call: built-in ones first, then those of the MCP servers."""
    options = _options(mcp_config=mcp_config, trust_project=trust_project, who=who)
    rows = anyio.run(_listing, options)
    if as_json:
        print_json(rows)
        return
    print_rows(
        ("Tool", "Server", "Description"),
        [(row["name"], row["server"] or "-", _first_line(row["description"])) for row in rows],
    )


@app.command("show")
def show(
    name: str,
    as_json: JsonOutput = False,
    mcp_config: McpConfig = None,
    trust_project: TrustProject = False,
    who: AsPrincipal = None,
) -> None:
    """One tool with its whole description and the schema of its arguments."""
    options = _options(name, mcp_config=mcp_config, trust_project=trust_project, who=who)
    found = anyio.run(_definition, name, options)
    if as_json:
        print_json(found)
        return
    print_text(f"{found['name']}\n\n{found['description']}\n")
    print_text(json.dumps(found["parameters"], indent=2, ensure_ascii=False))


@app.command("call")
def call(
    name: str,
    arguments: Annotated[str, typer.Option("--args", help="The arguments as a JSON object.")] = "{}",
    as_json: JsonOutput = False,
    who: AsPrincipal = None,
    allow: Allow = None,
    deny: Deny = None,
    confirm: Confirm = None,
    mcp_config: McpConfig = None,
    trust_project: TrustProject = False,
) -> None:
    """Call one tool through the gate, under the same rules, limits and audit as everywhere."""
    options = _options(
        name,
        mcp_config=mcp_config,
        trust_project=trust_project,
        who=who,
        allow=tuple(allow or ()),
        deny=tuple(deny or ()),
        confirm=tuple(confirm or ()),
    )
    started = time.monotonic()
    result = anyio.run(_call, name, _parse(arguments), options)
    if as_json:
        print_json(_as_json(result, time.monotonic() - started))
    elif result.is_error:
        note(message("cli.error", text=result.text))
    else:
        print_text(result.text)
    raise typer.Exit(exit_code(result))


def exit_code(result: ToolResult) -> int:
    """0 done; 1 the tool failed, timed out or is unknown; 3 refused; 4 its server is missing; 6 a limit."""
    if result.error is not None:
        return EXIT_CODES.get(result.error.kind, 1)
    return 1 if result.is_error else 0


def _options(name: str | None = None, **more: Any) -> "AppOptions":
    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions

    who = more.pop("who", None)
    servers = () if name is not None and not name.startswith("mcp") and name not in _CLIENT_TOOLS else None
    return AppOptions(door=Door.TOOLS_CALL, workspace=workspace_here(), principal=who, servers=servers, **more)


_CLIENT_TOOLS = ("tool_search", "list_resources", "read_resource", "list_prompts", "get_prompt", "complete")
"""Built-ins that speak to servers; for any other built-in no server is started."""


def _parse(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError("cli.args_not_json", why=error) from error
    if not isinstance(value, dict):
        raise UsageError("cli.args_not_json", why="it must be an object")
    return cast("dict[str, Any]", value)


async def _listing(options: "AppOptions") -> list[dict[str, Any]]:
    from mewcode.app.house import open_app

    async with open_app(options) as house:
        _say_problems(house)
        await house.servers.wait_all()
        say_missing_servers(house)
        return [tool.to_listing() for tool in house.registry.view(house.principal)]


async def _definition(name: str, options: "AppOptions") -> dict[str, Any]:
    from mewcode.app.house import open_app

    async with open_app(options) as house:
        tool = await house.registry.resolve(name)
        if tool is None or not house.policy.visible(house.principal, tool):
            raise MewCodeError("cli.no_tool", name=name)
        more = {"parameters": dict(tool.parameters), "effects": vars(tool.effects)}
        return {**tool.to_listing(), **more, "output_schema": tool.output_schema}


async def _call(name: str, arguments: dict[str, Any], options: "AppOptions") -> ToolResult:
    from mewcode.app.asked import through
    from mewcode.app.house import open_app

    async with open_app(options) as house:
        _say_problems(house)
        session = f"tools-call-{uuid.uuid4().hex[:12]}"
        tool = await house.registry.resolve(name)
        if tool is not None:
            house.discovery.discovered.load(session, tool)
        asked = ToolCall(name, arguments, session, house.principal)
        try:
            return await through(house.gate, asked, None)
        finally:
            await house.gate.end_session(session)


def _say_problems(house: "App") -> None:
    for problem in house.loaded.problems:
        note(str(problem))


def _as_json(result: ToolResult, seconds: float) -> dict[str, Any]:
    error = result.error
    return {
        "ok": not result.is_error,
        "text": result.text,
        "structured": result.structured,
        "is_error": result.is_error,
        "error": None
        if error is None
        else {"kind": error.kind.value, "message": error.message, "server": error.server},
        "truncated": result.truncated,
        "output_path": result.output_path,
        "duration_ms": round(seconds * 1000, 1),
    }


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "")[:100]

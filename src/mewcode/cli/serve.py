"""`mewcode serve`: MewCode's tools, and those of upstream servers, for any MCP client."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from mewcode.cli.options import McpConfig, TrustProject
from mewcode.cli.serve_tokens import app as tokens
from mewcode.errors import UsageError

if TYPE_CHECKING:
    from mewcode.server.options import Address, ServeOptions

app = typer.Typer(help="Serve the tools to MCP clients, over stdio or HTTP.", invoke_without_command=True)
app.add_typer(tokens, name="token")

Upstreams = Annotated[
    str | None, typer.Option("--upstreams", metavar="all|NAME,...", help="MCP servers whose tools are passed on.")
]


@app.callback()
def serve(
    context: typer.Context,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="One client over standard input and output (default).")
    ] = False,
    http: Annotated[str | None, typer.Option("--http", metavar="HOST:PORT", help="Many clients over HTTP.")] = None,
    upstreams: Upstreams = None,
    discovery: Annotated[
        str | None, typer.Option("--discovery", metavar="all|search", help="Offer every tool, or a search for them.")
    ] = None,
    prefix: Annotated[
        str | None, typer.Option("--prefix", help="Goes before every tool's own name; {server} is its server.")
    ] = None,
    role: Annotated[str | None, typer.Option("--role", help="The role of callers without a token.")] = None,
    workspace: Annotated[
        list[str] | None, typer.Option("--workspace", metavar="[NAME=]DIR", help="A folder to work in; repeatable.")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", help="Certificate chain (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Its key (PEM).")] = None,
    no_auth: Annotated[bool, typer.Option("--no-auth", help="Without tokens; on loopback addresses only.")] = False,
    stateless: Annotated[bool, typer.Option("--stateless", help="No sessions for clients of the old era.")] = False,
    mcp_config: McpConfig = None,
    trust_project: TrustProject = False,
) -> None:
    """Serve the tools to MCP clients, over stdio or HTTP."""
    if context.invoked_subcommand is not None:
        return
    if stdio and http:
        raise typer.BadParameter("--stdio and --http exclude each other")
    if discovery not in (None, "all", "search"):
        raise typer.BadParameter("--discovery is all or search")
    from mewcode.server.options import ServeOptions

    options = ServeOptions(
        workspaces=workspaces_of(workspace or ["."]),
        http=None if http is None else address_of(http),
        upstreams=None if upstreams is None else tuple(name.strip() for name in upstreams.split(",") if name.strip()),
        discovery=discovery,
        prefix=prefix,
        role=role,
        tls_cert=tls_cert,
        tls_key=tls_key,
        no_auth=no_auth,
        stateless=stateless,
        mcp_config=mcp_config,
        trust_project=trust_project,
    )
    _run(options)


def _run(options: "ServeOptions") -> None:
    from mewcode.server.serving import serve as serve_clients

    anyio.run(serve_clients, options)


def address_of(text: str) -> "Address":
    """HOST:PORT, with an IPv6 host in brackets."""
    from mewcode.server.options import Address

    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65_535 or not host:
        raise UsageError("serve.bad_address", text=text)
    return Address(host.strip("[]"), int(port))


def workspaces_of(texts: list[str]) -> dict[str, Path]:
    """NAME=DIR or DIR, which is called by its last part."""
    found: dict[str, Path] = {}
    for text in texts:
        name, equals, folder = text.partition("=")
        path = Path(folder if equals else text).expanduser().resolve()
        name = name if equals else path.name or "workspace"
        if not path.is_dir():
            raise UsageError("serve.bad_workspace", text=text, why="it is no directory")
        if name in found:
            raise UsageError("serve.bad_workspace", text=text, why=f"{name} is there already; write NAME=DIR")
        found[name] = path
    return found

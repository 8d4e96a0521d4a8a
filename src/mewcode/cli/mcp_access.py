"""`mewcode mcp login`, `logout` and `trust`: who is let in, and what may be started."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mewcode.cli.mcp_settings import definition_named, load, refuse_in_session
from mewcode.cli.output import note, print_text
from mewcode.errors import RefusedError, UsageError
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings, TrustStore, Untrusted
    from mewcode.config.trust_store import TrustKind
    from mewcode.mcp.definition import ServerDefinition

Name = Annotated[str, typer.Argument(help="The server's name in the settings.")]

Whose = Annotated[
    str | None,
    typer.Option("--as", metavar="PRINCIPAL", help="The login of one principal of `serve` (credentials: principal)."),
]


def login(
    name: Name,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the page's address only.")] = False,
    who: Whose = None,
) -> None:
    """Logs in to a server over HTTP (OAuth). Without a browser: open the address anywhere, paste where it led."""
    import anyio

    refuse_in_session("mcp login")
    loaded, _ = load()
    definition = _of(who, definition_named(name, loaded), loaded)
    if not definition.url:
        raise UsageError("mcp.no_login_for_stdio", server=name)
    if not definition.trusted:
        raise RefusedError("mcp.needs_trust", server=name, target=definition.target)
    tools = anyio.run(_login, definition, no_browser)
    note(message("mcp.logged_in", server=name, tools=tools))


async def _login(definition: "ServerDefinition", no_browser: bool) -> int:
    """Connects once with credentials that ask, and returns how many tools there are."""
    from mewcode.config import Paths
    from mewcode.mcp.launch import stored_logins
    from mewcode.mcp.login_listener import LoginListener
    from mewcode.mcp.login_session import first_login

    def tell(url: str) -> None:
        note(message("mcp.open_page", url=url))
        if not no_browser:
            import webbrowser

            webbrowser.open(url)

    port = definition.oauth.redirect_port if definition.oauth else None
    logins = stored_logins(Paths.from_environment())
    async with LoginListener(tell, _paste if sys.stdin is not None else None, port) as person:
        return await first_login(definition, logins, person)


async def _paste() -> str:
    """A line from standard input, read so that it can be given up when the browser came back first."""
    import anyio.to_thread

    return await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)


def _of(who: str | None, definition: "ServerDefinition", loaded: "LoadedSettings") -> "ServerDefinition":
    """The server as one principal of `mewcode serve` reaches it."""
    from mewcode.mcp.principals import principal_rules

    if who is None:
        return definition
    if definition.credentials != "principal":
        raise UsageError("mcp.login_for_everybody", server=definition.name)
    return principal_rules(loaded).definition(definition, who)


def logout(name: Name, who: Whose = None) -> None:
    """Forgets the login to a server."""
    import anyio

    from mewcode.mcp.launch import stored_logins

    loaded, paths = load()
    definition = _of(who, definition_named(name, loaded), loaded)
    there = anyio.run(stored_logins(paths).logout, definition)
    note(message("mcp.logged_out" if there else "mcp.was_not_logged_in", server=name))


def trust(
    name: Annotated[str | None, typer.Argument(help="One server; all that wait when absent.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take the consent back.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="The project's allow rules instead of its servers.")] = False,
) -> None:
    """Shows what the project's servers would run and read, or with --rules what its rules would allow, and remembers
    your consent to exactly that."""
    from mewcode.config import TrustStore

    refuse_in_session("mcp trust")
    loaded, paths = load()
    store = TrustStore(paths.trust)
    if rules and name is not None:
        raise UsageError("mcp.rules_have_no_name")
    if revoke:
        _revoke_rules(loaded, store) if rules else _revoke(name, loaded, store)
        return
    kind: TrustKind = "rules" if rules else "server"
    waiting = [one for one in loaded.untrusted if one.kind == kind and name in (None, one.name)]
    if not waiting:
        if name is not None:
            definition_named(name, loaded)
        note(message("mcp.no_rules_to_trust" if rules else "mcp.nothing_to_trust"))
    for proposal in waiting:
        print_text(_shown(proposal))
        if not yes and not _agrees(proposal):
            note(message("mcp.rules_not_trusted" if rules else "mcp.not_trusted", name=proposal.name))
            continue
        store.grant(kind, proposal.fingerprint, name=proposal.name, workspace=loaded.workspace)
        note(message("mcp.rules_trusted" if rules else "mcp.trusted", name=proposal.name))
    if not rules:
        _tell_of_rules(loaded)


def _tell_of_rules(loaded: "LoadedSettings") -> None:
    for proposal in loaded.untrusted:
        if proposal.kind == "rules":
            note(message("mcp.rules_wait", count=len(proposal.rules), place=proposal.place))


def _revoke_rules(loaded: "LoadedSettings", store: "TrustStore") -> None:
    """Rules have no name: all consents to rules of this project are taken back."""
    mine = [one for one in store.grants() if one.kind == "rules" and one.workspace == str(loaded.workspace)]
    for grant in mine:
        store.revoke("rules", grant.fingerprint)
    note(message("mcp.rules_revoked" if mine else "mcp.no_rules_to_trust"))


def _revoke(name: str | None, loaded: "LoadedSettings", store: "TrustStore") -> None:
    if name is None:
        raise UsageError("mcp.name_for_revoke")
    definition = definition_named(name, loaded)
    gone = store.revoke("server", definition.key)
    note(message("mcp.revoked" if gone else "mcp.nothing_to_trust", name=name))


def _agrees(proposal: "Untrusted") -> bool:
    if not sys.stdin.isatty():
        raise RefusedError("mcp.nobody_to_ask", name=proposal.name)
    code = "mcp.rules_question" if proposal.kind == "rules" else "mcp.trust_question"
    return typer.confirm(message(code, name=proposal.name), default=False, err=True)


def _shown(proposal: "Untrusted") -> str:
    """Everything that the consent covers, in plain text."""
    from mewcode.mcp.clean import clean

    if proposal.kind == "rules":
        head = message("mcp.rules_allow", place=proposal.place)
        wanted = [*proposal.variables, *proposal.files]
        return clean(
            "\n".join([head, *(f"  allow {rule}" for rule in proposal.rules), *(f"  reads {it}" for it in wanted)])
        )
    lines = {
        "server": proposal.name,
        "defined at": str(proposal.place),
        "runs": " ".join(proposal.command),
        "in": proposal.cwd or "",
        "url": proposal.url or "",
        "sets": ", ".join(proposal.env),
        "headers": ", ".join(proposal.headers),
        "reads variables": ", ".join(proposal.variables),
        "reads files": ", ".join(proposal.files),
    }
    return "\n".join(f"{key:<17}{clean(value)}" for key, value in lines.items() if value)

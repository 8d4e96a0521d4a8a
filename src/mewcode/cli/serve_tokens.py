"""`mewcode serve token add|list|revoke`: static tokens for HTTP, kept as hashes."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mewcode.cli.options import JsonOutput
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.errors import UsageError
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings
    from mewcode.server.identity.token_file import TokenFile

app = typer.Typer(help="Static tokens for HTTP, kept as hashes.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The token's name; also the principal's, unless --principal says otherwise.")]


@app.command("add")
def add(
    name: Name,
    principal: Annotated[str | None, typer.Option("--principal", help="Who comes with it.")] = None,
    role: Annotated[list[str] | None, typer.Option("--role", help="A role of the token; repeatable.")] = None,
    expires: Annotated[str | None, typer.Option("--expires", help="When it ends (ISO 8601); never if absent.")] = None,
) -> None:
    """Make a token and show it, this once."""
    loaded, file = _file("serve token add")
    for one in role or []:
        if one not in loaded.settings.roles:
            raise UsageError("serve.unknown_role", role=one, known=", ".join(loaded.settings.roles) or "-")
    token = file.add(name, principal=principal, roles=tuple(role or ()), expires=expires)
    who = principal or name
    note(message("serve.token_added", name=name, principal=who))
    known = loaded.settings.principals.get(who)
    if not role and not (known and known.roles):
        note(message("serve.no_roles", principal=who))
    print_text(token)


@app.command("list")
def list_tokens(as_json: JsonOutput = False) -> None:
    """All tokens: who comes with each, and until when."""
    loaded, file = _file(None)
    setting = loaded.settings.server.tokens
    entries = setting if isinstance(setting, dict) else file.entries()
    rows: list[dict[str, Any]] = [
        {"name": name, "principal": entry.principal or name, "roles": entry.roles, "expires": entry.expires}
        for name, entry in entries.items()
    ]
    if as_json:
        print_json(rows)
        return
    print_rows(
        ("Token", "Principal", "Roles", "Expires"),
        [(row["name"], row["principal"], ", ".join(row["roles"]), row["expires"] or "-") for row in rows],
    )


@app.command("revoke")
def revoke(name: Annotated[str, typer.Argument(help="The token's name.")]) -> None:
    """Make a token worthless, at once, also for a server that runs."""
    _, file = _file("serve token revoke")
    if not file.revoke(name):
        raise UsageError("serve.no_token", name=name)
    note(message("serve.token_revoked", name=name))


def _file(changing: str | None) -> "tuple[LoadedSettings, TokenFile]":
    """The settings and the token file; `changing` is the command where it would change the file."""
    from mewcode.cli.mcp_settings import load, refuse_in_session
    from mewcode.server.identity.token_files import token_file

    if changing is not None:
        refuse_in_session(changing)
    loaded, paths = load()
    if changing is not None and isinstance(loaded.settings.server.tokens, dict):
        raise UsageError("serve.tokens_in_settings")
    return loaded, token_file(loaded.settings.server, paths)

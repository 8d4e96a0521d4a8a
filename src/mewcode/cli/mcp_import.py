"""`mewcode mcp import`: takes over the servers that other programs have configured."""

from pathlib import Path
from typing import Annotated, Any

import typer

from mewcode.cli.mcp_settings import Scope, check_entry, file_of, load, refuse_in_session, trust_own
from mewcode.cli.output import note, print_json, print_rows
from mewcode.errors import UsageError
from mewcode.messages import message


def import_servers(
    program: Annotated[
        str | None,
        typer.Argument(help="claude-code, claude-desktop, cursor, vscode, codex or gemini; all when absent."),
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read this file instead of the usual ones.")] = None,
    scope: Annotated[str, typer.Option("--scope", "-s", help="user or project.")] = "user",
    replace: Annotated[bool, typer.Option("--replace", help="Also where a server of that name is there.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be taken over; write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Takes over other programs' MCP servers. Nothing is started; a name that is there already is left alone."""
    from mewcode.mcp.foreign import PROGRAMS, find

    refuse_in_session("mcp import")
    if program is not None and program not in PROGRAMS:
        raise UsageError("mcp.unknown_program", program=program, known=", ".join(PROGRAMS))
    if scope not in ("user", "project"):
        raise UsageError("mcp.bad_scope", scope=scope)
    target: Scope = "project" if scope == "project" else "user"
    loaded, paths = load()
    there = set(loaded.settings.mcp_servers) | {one.name for one in loaded.untrusted}
    rows: list[dict[str, Any]] = []
    for one in (program,) if program else PROGRAMS if file is None else ("claude-code",):
        found = find(one, Path.home(), Path.cwd(), file)
        for broken in found.unusable:
            note(message("mcp.unusable_file", file=broken.file, why=broken.why))
        for server in found.servers:
            outcome = _take(server.name, dict(server.entry), target, there, replace=replace, dry_run=dry_run)
            there.add(server.name)
            rows.append(
                {
                    "name": server.name,
                    "program": server.program,
                    "file": str(server.file),
                    "outcome": outcome,
                    "left_out": list(server.left_out),
                }
            )
    loaded, _ = load()
    if target == "project" and not dry_run:
        for row in rows:
            if row["outcome"] == "added":
                trust_own(row["name"], loaded, paths)
    if as_json:
        print_json(rows)
        return
    print_rows(("name", "program", "outcome", "left out"), [_cells(row) for row in rows])
    if not rows:
        note(message("mcp.nothing_to_import"))


def _cells(row: dict[str, Any]) -> list[str]:
    return [row["name"], row["program"], row["outcome"], ", ".join(row["left_out"])]


def _take(name: str, entry: dict[str, Any], scope: Scope, there: set[str], *, replace: bool, dry_run: bool) -> str:
    """What became of one server, in a word or a sentence."""
    from mewcode.config import Paths
    from mewcode.config.edit import add_server

    if name in there and not replace:
        return "kept ours"
    try:
        check_entry(name, entry)
    except UsageError as error:
        return f"not usable: {error}"
    if dry_run:
        return "would be added"
    add_server(file_of(scope, Paths.from_environment()), name, entry, scope)
    return "added"

"""`mewcode config`: show, check, path, schema."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings, Place, Problem
    from mewcode.config.place import ScopeName
    from mewcode.config.proposals import Untrusted

app = typer.Typer(help="Settings: what counts, where it came from, what is wrong.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def show(
    key: Annotated[str, typer.Argument(help="Only this setting and what is below it.")] = "",
    as_json: Json = False,
    everything: Annotated[bool, typer.Option("--all", help="Also settings that have their default.")] = False,
) -> None:
    """Each value with the file and line it came from. Secrets are hidden."""
    from mewcode.config.listing import rows_of

    loaded = _load()
    found = [row for row in rows_of(loaded) if _is_below(row.key, key)]
    if key and not found:
        note(message("config.no_such_key", key=key))
        raise typer.Exit(2)
    _name(loaded)
    if as_json:
        print_json([{"key": r.key, "value": r.value, **_where(r.place), "problem": r.problem} for r in found])
        return
    listed = [row for row in found if everything or key or row.place.scope != "default"]
    print_rows(
        ("setting", "value", "from"),
        [(row.key, row.problem or _text(row.value), f"{row.place}") for row in listed],
    )
    if len(found) > len(listed):
        note(message("config.more_defaults", count=len(found) - len(listed)))


@app.command()
def check(as_json: Json = False) -> None:
    """Looks for problems in all settings files; exits 2 when there is an error."""
    loaded = _load()
    mistakes = _mistakes(loaded)
    if as_json:
        problems = [
            {"severity": p.severity, "key": p.key, "message": p.message, **_where(p.place)}
            for p in (*loaded.problems, *mistakes)
        ]
        waiting = [
            {"kind": u.kind, "name": u.name, "rules": u.rules, "command": u.command, "url": u.url, **_where(u.place)}
            for u in loaded.untrusted
        ]
        files = [str(file) for file in loaded.files]
        print_json({"ok": not (loaded.errors or mistakes), "problems": problems, "untrusted": waiting, "files": files})
    else:
        _report(loaded, mistakes)
    if loaded.errors or mistakes:
        raise typer.Exit(2)


@app.command()
def path(as_json: Json = False) -> None:
    """The files that settings come from, the strongest first."""
    from mewcode.config import Paths
    from mewcode.config.paths import mcp_json_file, project_file

    paths, workspace = Paths.from_environment(), Path.cwd()
    files: list[tuple[str, Path | None]] = [
        ("managed", paths.managed),
        ("project", project_file(workspace)),
        ("user", paths.config),
        ("mcp_json", mcp_json_file(workspace)),
    ]
    known = [(scope, file, file.exists()) for scope, file in files if file is not None]
    if as_json:
        print_json([{"scope": scope, "path": str(file), "exists": exists} for scope, file, exists in known])
        return
    print_rows(("scope", "file", ""), [(scope, file, "" if exists else "-") for scope, file, exists in known])


@app.command()
def schema(
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The reference for people instead.")] = False,
) -> None:
    """The JSON Schema of the settings, for editors."""
    from mewcode.config import reference

    if markdown and not as_json:
        print_text(reference.markdown())
    else:
        print_json(reference.json_schema())


def _load() -> "LoadedSettings":
    from mewcode.config import Paths, TrustStore, load_settings

    paths = Paths.from_environment()
    trusted = TrustStore(paths.trust).is_trusted
    return load_settings(paths=paths, workspace=Path.cwd(), is_trusted=trusted, check_rule=_wrong_with)


def _wrong_with(rule: str) -> str | None:
    from mewcode.errors import SettingsError
    from mewcode.governance.rules.parse import split_rule

    try:
        split_rule(rule)
    except SettingsError as error:
        return str(error)
    return None


def _mistakes(loaded: "LoadedSettings") -> "tuple[Problem, ...]":
    """Rules that match nothing, or not their own examples."""
    from mewcode.app.options import AppOptions
    from mewcode.app.rule_check import mistakes_of
    from mewcode.calls import Door
    from mewcode.config import Paths, Place, Problem

    options = AppOptions(door=Door.TERMINAL, workspace=Path.cwd())
    found = mistakes_of(options, loaded, Paths.from_environment())
    places = [Place(cast("ScopeName", p.source.scope), p.source.file, p.source.line, p.source.column) for p in found]
    return tuple(Problem("error", p.message, place, "permissions") for p, place in zip(found, places, strict=True))


def _report(loaded: "LoadedSettings", mistakes: "tuple[Problem, ...]") -> None:
    _name(loaded)
    for mistake in mistakes:
        note(_line(mistake))
    for proposal in loaded.untrusted:
        note(_untrusted_line(proposal))
    errors = len(loaded.errors) + len(mistakes)
    if loaded.problems or mistakes:
        warnings = len(loaded.problems) - len(loaded.errors)
        note(message("config.check_failed", errors=errors, warnings=warnings))
    elif loaded.files:
        note(message("config.check_ok", count=len(loaded.files)))
    else:
        note(message("config.check_none"))


def _name(loaded: "LoadedSettings") -> None:
    for problem in loaded.problems:
        note(_line(problem))


def _untrusted_line(proposal: "Untrusted") -> str:
    """What a project wants to start or to be allowed, and that it waits for consent."""
    from mewcode.app.proposed import proposed

    wants = ", ".join(proposal.rules) or " ".join(proposal.command) or proposal.url or ""
    return f"{proposed(proposal)} ({wants})"


def _line(problem: "Problem") -> str:
    return f"{problem.place}: {problem.severity}: {problem.message}"


def _where(place: "Place") -> dict[str, Any]:
    return {"source": str(place), "scope": place.scope, "file": place.file, "line": place.line, "column": place.column}


def _is_below(key: str, wanted: str) -> bool:
    return not wanted or key == wanted or key.startswith((f"{wanted}.", f"{wanted}["))


def _text(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)

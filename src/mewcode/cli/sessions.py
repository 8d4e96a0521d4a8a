"""`mewcode sessions`: list, show, export and delete what was saved."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from mewcode.agent.exports import FORMATS, export_session
from mewcode.agent.sessions import SessionStore
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.workspace.checkpoints import Checkpoints

app = typer.Typer(help="Sessions that were saved: list, show, export, delete.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Id = Annotated[str, typer.Argument(help="The session's id, or a beginning of it that only it has.")]


@app.command("list")
def list_sessions(
    json: Json = False,
    here: Annotated[bool, typer.Option("--here", help="Only sessions of the current directory.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many.")] = 50,
) -> None:
    """The newest sessions first."""
    found = (row for row in _store().list() if not here or row.workspace == str(Path.cwd()))
    rows = [row for row, _ in zip(found, range(limit), strict=False)]
    if json:
        print_json([row.to_json() for row in rows])
        return
    columns = ("ID", "UPDATED", "TURNS", "STATUS", "TITLE", "WORKSPACE")
    print_rows(columns, [(r.id, r.updated, r.turns, r.status, r.title, r.workspace) for r in rows])


@app.command()
def show(session: Id, json: Json = False) -> None:
    """A session as text for reading, or all of it as JSON."""
    print_text(export_session(_store(), session, "json" if json else "markdown").rstrip("\n"))


@app.command()
def export(
    session: Id,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, html or json.")] = "markdown",
    file: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Writes a session down as Markdown, a page of HTML, or JSON."""
    if form not in FORMATS:
        raise UsageError("sessions.export_format", value=form, formats=", ".join(FORMATS))
    text = export_session(_store(), session, form)
    if file is None:
        print_text(text.rstrip("\n"))
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError("sessions.not_written", file=file, why=error.strerror) from error
    note(message("sessions.exported", session=session, file=file))


@app.command()
def delete(
    sessions: Annotated[list[str], typer.Argument(help="Ids of the sessions.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Deletes sessions, what they saved under outputs/, and what files held before them."""
    store, checkpoints = _store(), _checkpoints()
    summaries = [store.summary(session) for session in sessions]
    deleted: list[str] = []
    if not yes and not sys.stdin.isatty():
        raise UsageError("sessions.nobody_to_ask")
    for summary in summaries:
        question = message("sessions.confirm_delete", session=summary.id, title=summary.title)
        if not yes and not typer.confirm(question, err=True):
            continue
        store.delete(summary.id)
        checkpoints.forget(summary.id)
        deleted.append(summary.id)
        if not json:
            note(message("sessions.deleted", session=summary.id))
    if json:
        print_json({"deleted": deleted})


def _store() -> SessionStore:
    from mewcode.config import Paths

    paths = Paths.from_environment()
    return SessionStore(paths.sessions, paths.outputs)


def _checkpoints() -> Checkpoints:
    from mewcode.config import Paths

    return Checkpoints(Paths.from_environment().checkpoints)

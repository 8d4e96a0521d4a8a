"""/resume, /rewind, /fork, /export: sessions that were, and going back in this one."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.choosing import Option, choose
from mewcode.terminal.rewinding import Moment, fork_before, moments_of, take_files_back
from mewcode.terminal.slash import Command

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.terminal.session import Session
    from mewcode.workspace.rewind import Rewound

LISTED = 50


async def resume(session: "Session", arguments: str) -> None:
    from mewcode.app.conversations import SessionChoice

    app = session.household.app
    if app is None:
        session.screen.print(message("terminal.still_opening"), "dim")
        return
    chosen = arguments or await _choose_session(session, app)
    if not chosen or (session.agent is not None and session.agent.session.id == chosen):
        return
    app.sessions.summary(chosen)  # raises an error of ours for what cannot be resumed
    session.household.open(SessionChoice(chosen), session.status.model or None)


async def _choose_session(session: "Session", app: "App") -> str | None:
    rows = await asyncio.to_thread(lambda: [one for one, _ in zip(app.sessions.list(), range(LISTED), strict=False)])
    current = session.agent.session.id if session.agent else ""
    here = [one for one in rows if one.workspace == str(app.workspace) and one.turns and one.id != current]
    if not here:
        session.screen.print(message("terminal.no_sessions"), "dim")
        return None
    options = [
        Option(one.id, one.title or one.id, message("terminal.session_about", when=_when(one.updated), turns=one.turns))
        for one in here
    ]
    return await choose(session.screen, message("terminal.choose_session"), options)


def _when(updated: str) -> str:
    from datetime import datetime

    return datetime.fromisoformat(updated).astimezone().strftime("%m-%d %H:%M")


async def rewind(session: "Session", arguments: str) -> None:
    """Chooses a message, then what goes back with it."""
    app, agent = session.household.app, session.agent
    if app is None or agent is None:
        return
    moments = moments_of(list(app.sessions.records(agent.session.id)))
    if not moments:
        session.screen.print(message("terminal.nothing_to_rewind"), "dim")
        return
    options = [Option(str(index), one.text) for index, one in reversed(list(enumerate(moments)))]
    chosen = await choose(session.screen, message("terminal.choose_moment"), options)
    if chosen is None:
        return
    moment = moments[int(chosen)]
    what = await _choose_what(session, app, moment)
    if what in ("both", "files") and not await _files_back(session, app, moment):
        return
    if what in ("both", "conversation"):
        _conversation_back(session, app, moment)


async def _choose_what(session: "Session", app: "App", moment: Moment) -> str | None:
    assert session.agent is not None
    files = await asyncio.to_thread(_preview, session, app, moment)
    if not files:
        return "conversation"
    names = ", ".join(one.path.name for one in files)
    return await choose(
        session.screen,
        message("terminal.choose_rewind"),
        [
            Option("both", message("terminal.rewind_both"), names),
            Option("conversation", message("terminal.rewind_conversation")),
            Option("files", message("terminal.rewind_files"), names),
        ],
    )


def _preview(session: "Session", app: "App", moment: Moment) -> "list[Rewound]":
    from mewcode.workspace.rewind import Fate

    assert session.agent is not None
    found = take_files_back(
        app.sessions, app.checkpoints, session.agent.session.id, moment, app.workspace, really=False
    )
    return [one for one in found if one.fate is not Fate.UNCHANGED]


async def _files_back(session: "Session", app: "App", moment: Moment) -> bool:
    """Takes the files back; what the person changed since is asked about first. False when they turned away."""
    from mewcode.workspace.rewind import Fate

    assert session.agent is not None
    changed = [one for one in await asyncio.to_thread(_preview, session, app, moment) if one.fate is Fate.CHANGED_SINCE]
    force = False
    if changed:
        names = ", ".join(one.path.name for one in changed)
        answer = await choose(
            session.screen,
            message("terminal.changed_since", names=names),
            [
                Option("keep", message("terminal.changed_keep")),
                Option("force", message("terminal.changed_force")),
            ],
        )
        if answer is None:
            return False
        force = answer == "force"
    done = await asyncio.to_thread(
        lambda: take_files_back(
            app.sessions,
            app.checkpoints,
            session.agent.session.id if session.agent else "",
            moment,
            app.workspace,
            really=True,
            force=force,
        )
    )
    for one in done:
        if one.fate is not Fate.UNCHANGED:
            fate = message(f"terminal.fate_{one.fate.value}")
            session.screen.print(f"  {fate} {one.path} {one.reason}".rstrip(), "dim")
    return True


def _conversation_back(session: "Session", app: "App", moment: Moment) -> None:
    from mewcode.app.conversations import SessionChoice

    assert session.agent is not None
    forked = fork_before(app.sessions, session.agent.session.id, moment)
    session.household.open(SessionChoice(forked), session.status.model or None)
    session.screen.composer.put(moment.text)


async def fork(session: "Session", arguments: str) -> None:
    from mewcode.app.conversations import SessionChoice

    app, agent = session.household.app, session.agent
    if app is None or agent is None:
        return
    forked = await asyncio.to_thread(app.sessions.fork, agent.session.id)
    forked.close()
    session.household.open(SessionChoice(forked.id), session.status.model or None)


async def export(session: "Session", arguments: str) -> None:
    """/export [FILE]: Markdown, or HTML or JSON by the file's ending."""
    from mewcode.agent.exports import export_session

    app, agent = session.household.app, session.agent
    if app is None or agent is None:
        return
    path = Path(arguments).expanduser() if arguments else Path(f"session-{agent.session.id}.md")
    path = path if path.is_absolute() else app.workspace / path
    form = {".html": "html", ".htm": "html", ".json": "json"}.get(path.suffix.lower(), "markdown")
    text = await asyncio.to_thread(export_session, app.sessions, agent.session.id, form)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        session.screen.print(message("terminal.not_exported", file=path, why=error.strerror), "bad")
        return
    session.screen.print(message("terminal.exported", file=path), "dim")


SESSIONS = (
    Command("resume", "terminal.about_resume", resume, "[ID]", idle=True),
    Command("rewind", "terminal.about_rewind", rewind, idle=True),
    Command("fork", "terminal.about_fork", fork, idle=True),
    Command("export", "terminal.about_export", export, "[FILE]"),
)

"""What happens on the screen when a conversation opens: settings take effect, notices and the past are shown."""

import asyncio
from typing import TYPE_CHECKING

from mewcode.agent.render import clean
from mewcode.calls import FileChange
from mewcode.governance.modes import Mode
from mewcode.messages import message
from mewcode.terminal.history import trim_history
from mewcode.terminal.ink import choose_ink
from mewcode.terminal.past import print_past
from mewcode.terminal.turn_view import TurnView

if TYPE_CHECKING:
    from mewcode.app.conversations import Conversation
    from mewcode.app.house import App
    from mewcode.terminal.session import Session

_LONGEST = 2 << 20
"""Bytes of a file that is compared for a diff on the screen."""


def arrive(session: "Session", conversation: "Conversation") -> None:
    app, agent = session.household.app, conversation.agent
    assert app is not None
    _apply_settings(session, app)
    session.turns.view = TurnView(session.screen, session.transcript, _contents(app), app.settings.ui.thinking)
    if session.status.opening:
        session.status.opening = False
        if session.start.history is not None:
            keep = (session.start.history, app.settings.ui.history)
            session.work.now(lambda: asyncio.to_thread(trim_history, *keep))
        session.work.now(lambda: first_questions(session, app))
        if session.status.mode == "default":
            session.status.mode = app.gate.sessions.mode(agent.session.id).value
    app.gate.sessions.set_mode(agent.session.id, Mode(session.status.mode))
    if session.last_session != agent.session.id:
        session.status.context = session.status.tokens = 0
    session.last_session = agent.session.id
    _print_notices(session, conversation)
    session.status.model, session.status.trouble = conversation.choice.name, ""
    print_past(session, app, agent.session.id)
    session.shown_session = agent.session.id
    session.look_around()
    session.screen.refresh()


async def first_questions(session: "Session", app: "App") -> None:
    """`mewcode -r` alone: which session? And what of the project is to be trusted?"""
    if session.start.resume == "":
        from mewcode.terminal.commands.sessions import resume

        await resume(session, "")
    if app.loaded.untrusted:
        from mewcode.terminal.consent import ask_for_consents

        await ask_for_consents(session, app)


def _apply_settings(session: "Session", app: "App") -> None:
    session.screen.restyle(choose_ink(app.settings.ui.theme), vi=app.settings.ui.keys == "vi")


def _print_notices(session: "Session", conversation: "Conversation") -> None:
    """Each once: a session that is opened with the model that answered before has nothing new to say."""
    why, *others = conversation.notices
    name = conversation.choice.name
    if session.status.model != name:
        session.screen.print(message("terminal.model_is", name=name, why=clean(why.text)), "dim")
    for notice in others:
        if notice.text not in session.told:
            session.told.add(notice.text)
            session.screen.print(clean(notice.text), {"error": "bad", "warning": "warn"}.get(notice.level.value, "dim"))


def _contents(app: "App"):
    def read(change: FileChange) -> tuple[str, str] | None:
        """The kept content before and the file now; None for what is no text, or not as the call left it."""
        from mewcode.workspace.files_read import digest_of

        before = b"" if change.before is None else app.checkpoints.contents.get(change.before)
        try:
            path = app.workspace / change.path
            after = path.read_bytes() if path.stat().st_size <= _LONGEST else None
        except OSError:
            return None
        if before is None or after is None or digest_of(after) != change.after:
            return None
        return _text(before), _text(after)

    return read


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")

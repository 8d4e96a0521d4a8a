"""A model, a session and an agent, opened together and closed in the other order."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mewcode.agent import Agent, Notice, NoticeLevel, Session
from mewcode.app.house import App, warm_model
from mewcode.app.proposed import how_to_agree, proposed
from mewcode.app.rule_check import mistakes_here
from mewcode.calls import Door
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.models import ModelChoice


@dataclass(frozen=True)
class SessionChoice:
    """Which session to go on with: the one called `resume`, the newest of the workspace, or a new one."""

    resume: str | None = None
    newest: bool = False


@dataclass(frozen=True)
class Conversation:
    """`notices` say which model was chosen and why, and what is wrong with the settings."""

    agent: Agent
    choice: ModelChoice
    notices: tuple[Notice, ...]


@asynccontextmanager
async def open_conversation(
    app: App, session: SessionChoice, model_name: str | None = None
) -> AsyncGenerator[Conversation, None]:
    """`model_name` goes before what the options and settings say.

    Raises ModelError where there is no model, UsageError for a session that cannot be had.
    """
    choice = await app.choose_model(model_name)
    warm_model(choice)
    model = app.open_model(choice)
    try:
        async with app.agent(model, open_session(app, session, model.name)) as agent:
            yield Conversation(agent, choice, notices_of(app, choice))
    finally:
        await model.close()


def open_session(app: App, choice: SessionChoice, model: str) -> Session:
    session_id = choice.resume
    if session_id is None and choice.newest:
        session_id = app.sessions.latest(app.workspace)
        if session_id is None:
            raise UsageError("sessions.none", workspace=app.workspace)
    return app.sessions.open(session_id) if session_id else app.sessions.create(app.workspace, model)


def notices_of(app: App, choice: ModelChoice) -> tuple[Notice, ...]:
    """The first says why this model; doors put its name before it."""
    problems = (
        Notice(str(problem), NoticeLevel.ERROR if problem.severity == "error" else NoticeLevel.WARNING)
        for problem in app.loaded.problems
    )
    rules = (
        Notice(f"{proposed(asked)}; {how_to_agree(asked)}", NoticeLevel.WARNING)
        for asked in app.loaded.untrusted
        if asked.kind == "rules" and app.options.door is not Door.TERMINAL  # of servers their states tell; it asks
    )
    tools = any(server.enabled for server in app.settings.mcp_servers.values())
    left_out = (message("models.embedded_no_servers"),) if choice.embedded and tools else ()
    wrong = (Notice(f"{problem.source}: {problem.message}", NoticeLevel.ERROR) for problem in mistakes_here(app))
    why = Notice(choice.why, NoticeLevel.WARNING if choice.unasked else NoticeLevel.INFO)
    notes = (Notice(note, NoticeLevel.WARNING) for note in (*choice.notes, *left_out))
    return (why, *notes, *problems, *wrong, *rules)

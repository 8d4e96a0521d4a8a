"""Opens the house for one run: app, model, session and agent, in that order, and closes them in the other."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mewcode.agent import Limits, Notice, NoticeLevel, Session
from mewcode.app.house import App, open_app, warm_model
from mewcode.app.options import AppOptions
from mewcode.errors import UsageError
from mewcode.headless.runner import RunHouse
from mewcode.models import ModelChoice


@dataclass(frozen=True)
class SessionChoice:
    """Which session a run goes on with: the one called `resume`, the newest of the workspace, or a new one."""

    resume: str | None = None
    newest: bool = False


@asynccontextmanager
async def open_house(options: AppOptions, session: SessionChoice) -> AsyncGenerator[RunHouse, None]:
    """Raises what the parts raise: SettingsError, ModelError where there is no model, UsageError for the session."""
    async with open_app(options) as app:
        choice = await app.choose_model()
        warm_model(choice)
        model = app.open_model(choice)
        try:
            async with app.agent(model, _session(app, session, model.name)) as agent:
                yield RunHouse(
                    agent=agent,
                    gate=app.gate,
                    registry=app.registry,
                    principal=app.principal,
                    workspace=app.workspace,
                    mode=options.mode or str(app.settings.mode),
                    limits=_limits(app),
                    notices=_notices(app, choice),
                )
        finally:
            await model.close()


def _session(app: App, choice: SessionChoice, model: str) -> Session:
    session_id = choice.resume
    if session_id is None and choice.newest:
        session_id = app.sessions.latest(app.workspace)
        if session_id is None:
            raise UsageError("sessions.none", workspace=app.workspace)
    return app.sessions.open(session_id) if session_id else app.sessions.create(app.workspace, model)


def _limits(app: App) -> Limits:
    """What the settings say; the command line may say less or more."""
    agent = app.settings.agent
    return Limits(agent.max_turns, agent.max_cost, agent.max_time)


def _notices(app: App, choice: ModelChoice) -> tuple[Notice, ...]:
    problems = (
        Notice(
            f"{problem.place}: {problem.message}",
            NoticeLevel.ERROR if problem.severity == "error" else NoticeLevel.WARNING,
        )
        for problem in app.loaded.problems
    )
    return (Notice(choice.why), *(Notice(note) for note in choice.notes), *problems)

"""Commands about the session itself: help, mode, model, cost, context, clear, compact, quit."""

from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.choosing import Option, choose
from mewcode.terminal.commands.context import show_context
from mewcode.terminal.commands.listing import print_rows
from mewcode.terminal.slash import Command
from mewcode.terminal.width import cut, fold

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


async def show_help(session: "Session", arguments: str) -> None:
    from mewcode.terminal.project_commands import project_commands
    from mewcode.terminal.slash import commands

    screen = session.screen
    built_in = [one for one in commands().values() if not one.alias]
    rows = [(f"/{one.name} {one.arguments}".strip(), message(one.about)) for one in built_in]
    rows += [(f"/{one.name}", one.about) for one in project_commands(session.start.workspace).values()]
    print_rows(session, rows, ("accent",))
    keys = message("terminal.key_help").split(" · ")
    screen.print("\n" + fold(keys, screen.width - 2), "dim")


async def quit_session(session: "Session", arguments: str) -> None:
    session.screen.exit()


async def change_mode(session: "Session", arguments: str) -> None:
    from mewcode.terminal.opening import MODES

    modes = [Option(mode, mode, message(f"terminal.about_{mode.replace('-', '_')}")) for mode in MODES]
    name = arguments or await choose(
        session.screen, message("terminal.choose_mode"), modes, current=session.status.mode
    )
    if name is None:
        return
    if name not in MODES:
        session.screen.print(message("terminal.mode_unknown", mode=name), "bad")
        return
    session.set_mode(name)
    session.screen.print(message("terminal.mode_set", mode=name), "dim")


async def change_model(session: "Session", arguments: str) -> None:
    if not arguments:
        from mewcode.terminal.first_run import choose_model

        await choose_model(session)
        return
    name = await session.household.use_model(arguments)
    session.status.model = name
    session.screen.print(message("terminal.model_set", name=name), "dim")


async def clear(session: "Session", arguments: str) -> None:
    from mewcode.app.conversations import SessionChoice

    if session.household.app is None:
        return
    session.screen.live.todo = ()
    session.household.open(SessionChoice(), session.status.model or None)
    session.screen.print(message("terminal.cleared"), "dim")


async def compact(session: "Session", arguments: str) -> None:
    async def work() -> None:
        agent, view = session.agent, session.turns.view
        if agent is None or view is None:
            return
        view.begin()
        try:
            async for event in agent.compact():
                await view.show(event)
        finally:
            view.end()

    session.work.do(work)


async def show_cost(session: "Session", arguments: str) -> None:
    agent = session.agent
    if agent is None:
        return
    spent = agent.spent
    cost = message("terminal.cost_unknown") if spent.cost is None else f"${spent.cost:.4f}"
    session.screen.print(
        message(
            "terminal.cost",
            steps=spent.steps,
            input=f"{spent.input:,}",
            cached=f"{spent.cached:,}",
            output=f"{spent.output:,}",
            cost=cost,
        )
    )


async def show_tasks(session: "Session", arguments: str) -> None:
    app, agent = session.household.app, session.agent
    marks = {"done": "✓", "in_progress": "▸"}
    lines = [f"  {marks.get(str(one.get('status')), '·')} {one.get('content')}" for one in session.screen.live.todo]
    if app is not None and agent is not None:
        for job in app.jobs.of_session(agent.session.id):
            state = message("terminal.job_running") if job.running else message("terminal.job_over", status=job.code)
            lines.append(f"  {job.id}  {state}  {' '.join(job.line.split())}")
    session.screen.print(
        "\n".join(cut(line, session.screen.width - 1) for line in lines) or message("terminal.no_tasks")
    )


BASIC = (
    Command("help", "terminal.about_help", show_help, early=True),
    Command("mode", "terminal.about_mode", change_mode, "[MODE]", early=True),
    Command("model", "terminal.about_model", change_model, "[NAME]", idle=True),
    Command("cost", "terminal.about_cost", show_cost),
    Command("context", "terminal.about_context", show_context),
    Command("tasks", "terminal.about_tasks", show_tasks),
    Command("compact", "terminal.about_compact", compact),
    Command("clear", "terminal.about_clear", clear, idle=True),
    Command("quit", "terminal.about_quit", quit_session, early=True),
    Command("exit", "terminal.about_quit", quit_session, early=True, alias=True),
)

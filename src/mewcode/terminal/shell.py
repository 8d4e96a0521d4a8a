"""`!command`: a command line of the person's own, through the gate like every other.

Who has typed it has said yes to it: it is asked about again only where a rule wants that, or where the risk is high.
"""

from typing import TYPE_CHECKING

from mewcode.agent import events
from mewcode.calls import Answer, Question, QuestionKind, ToolCall
from mewcode.messages import message
from mewcode.terminal.call_lines import without_exit_line
from mewcode.terminal.width import hang

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

SHOWN_LINES = 30


class LiveChannel:
    """Live output of the person's own call, shown as the agent's is."""

    def __init__(self, session: "Session", call_id: str) -> None:
        self._session = session
        self._call_id = call_id

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        await self._show(events.ToolCallProgress(self._call_id, done, total, note))

    async def log(self, level: str, text: str) -> None:
        await self.output(text + "\n")

    async def output(self, text: str) -> None:
        await self._show(events.ToolCallOutput(self._call_id, text))

    async def _show(self, event: events.Event) -> None:
        if self._session.turns.view is not None:
            await self._session.turns.view.show(event)


async def run_shell(session: "Session", line: str) -> None:
    """Runs it, prints its output, and lets the model know with the next message."""
    import time

    from mewcode.agent.render import clean
    from mewcode.app.asked import through

    session.screen.print(f"\n{session.screen.ink.paint(f'! {clean(line)}', 'user')}")
    await session.household.ready.wait()
    app, agent, view = session.household.app, session.agent, session.turns.view
    if app is None or agent is None or view is None:
        return
    call_id = f"shell_{time.monotonic_ns()}"
    call = ToolCall(
        "run_command",
        {"command": line},
        agent.session.id,
        app.principal,
        id=call_id,
        channel=LiveChannel(session, call_id),
    )
    await view.show(events.ToolCallStarted(call_id, "run_command", None, {"command": line}))
    began = time.monotonic()
    try:
        result = await through(app.gate, call, lambda question: _answered(session, question))
    finally:
        session.screen.live.calls.pop(call_id, None)
        session.screen.live.changed = True
    text = clean(result.text)
    session.screen.print(_shown(session, text, failed=result.is_error))
    session.transcript.add(f"! {line}", text)
    seconds = f"{time.monotonic() - began:.1f}"
    note = f"The person ran this command themselves ({seconds} s):\n$ {line}\n{app.for_model(agent.session.id, result)}"
    session.turns.notes.append(note)


def _shown(session: "Session", text: str, *, failed: bool) -> str:
    """The output as it came; of a command that failed the last line, which says how, stands out."""
    screen = session.screen
    lines = without_exit_line(text.expandtabs(4)).split("\n")
    left = max(0, len(lines) - SHOWN_LINES)
    shown = [hang(one, "  ", screen.width) for one in lines[:SHOWN_LINES]]
    if failed:
        last = hang(lines[-1], "  ", screen.width)
        shown = [*(shown if left else shown[:-1]), screen.ink.paint(last, "bad")]
    if left:
        shown.append(screen.ink.paint(f"  {message('terminal.details_cut', lines=left)}", "dim"))
    return "\n".join(shown)


async def _answered(session: "Session", question: Question) -> Answer:
    if question.kind is QuestionKind.APPROVAL and question.decision.rule is None:
        return Answer(question.id, question.fingerprint, True, answered_by=question.principal)
    return await session.asker.ask_own(question)

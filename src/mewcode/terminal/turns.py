"""Messages of the person on their way to the agent, and the events of its turns on their way to the screen."""

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.agent import Agent, Event, TurnFinished
    from mewcode.calls import Question
    from mewcode.terminal.session import Session
    from mewcode.terminal.turn_view import TurnView

AWAY_SECONDS = 20.0
"""A turn that took longer than this ends with a bell: the person may be elsewhere by then."""


class Turns:
    def __init__(self, session: "Session") -> None:
        self._session = session
        self._live = session.screen.live
        self.view: TurnView | None = None
        self.waiting: list[str] = []
        """Messages that wait for the house to open, or for what goes on to end."""
        self.count = 0
        self.notes: list[str] = []
        """What the model should know with the next message: output of the person's own commands."""

    def say(self, text: str, prompt: str | None = None) -> None:
        """Sends a message; `prompt` is what the model gets where that differs from what is shown."""
        agent = self._session.agent
        if agent is not None and agent.busy:
            agent.queue(prompt or text)
            self._live.queued.append(prompt or text)
            self._live.changed = True
            return
        self.waiting.append(text)
        self.print_message(text)
        self._session.work.do(lambda: self._turn(text, prompt or text))

    def take_back(self) -> str | None:
        """The newest message that the agent has not got yet, for the person to change; None when there is none."""
        return self.waiting.pop() if self.waiting else None

    def print_message(self, text: str) -> None:
        from mewcode.agent.render import clean

        screen = self._session.screen
        lines = clean(text).rstrip().split("\n")
        if len(lines) > SHOWN_LINES:
            lines = [*lines[:SHOWN_LINES], f"… +{len(lines) - SHOWN_LINES}"]
        first, *rest = lines
        screen.print("\n" + "\n".join([screen.ink.paint(f"> {first}", "user"), *(f"  {line}" for line in rest)]))

    # --- one turn ------------------------------------------------------------------------------------------------

    async def _turn(self, shown: str, prompt: str) -> None:
        if not await self._opened(shown):
            return
        agent, view = self._session.agent, self.view
        if agent is None or view is None:
            return
        began = time.monotonic()
        self.count += 1
        view.begin()
        try:
            whole = await self._whole(prompt)
            async for event in agent.run(whole):
                await self._event(agent, event)
        finally:
            view.end()
            self._live.queued.clear()
            self._session.look_around()
        if time.monotonic() - began > AWAY_SECONDS:
            self._session.notify(message("terminal.finished"))

    async def _opened(self, shown: str) -> bool:
        """Waits until there is an agent. False when the message was taken back meanwhile."""
        self._live.begin(message("terminal.opening"))
        try:
            await self._session.household.ready.wait()
        finally:
            self._live.end()
        if shown not in self.waiting:
            return False
        self.waiting.remove(shown)
        return True

    async def _whole(self, prompt: str) -> str:
        from mewcode.terminal.mentions import fetch_mentions

        fetched = await fetch_mentions(self._session, prompt)
        notes, self.notes = self.notes, []
        return "\n\n".join([*notes, prompt, *fetched])

    async def _event(self, agent: "Agent", event: "Event") -> None:
        from mewcode.agent import events

        match event:
            case events.QuestionAsked(question):
                self._session.work.now(lambda: self._answer(agent, question))
            case events.UsageUpdated(_, context, window):
                self._session.status.context, self._session.status.window = context, window
            case events.MessageTaken(text):
                with suppress(ValueError):
                    self._live.queued.remove(text)
                self.print_message(text)
            case events.TurnFinished():
                self._finished(agent, event)
            case _:
                assert self.view is not None
                await self.view.show(event)

    async def _answer(self, agent: "Agent", question: "Question") -> None:
        answer = await self._session.asker.ask(question)
        agent.answer(question.id, answer)

    def _finished(self, agent: "Agent", event: "TurnFinished") -> None:
        from mewcode.agent import TurnStatus

        session = self._session
        assert self.view is not None
        self.view.end()
        status, spent = session.status, agent.spent.joined(event.spent)
        status.tokens, status.cost = spent.input + spent.output, spent.cost
        if event.status is TurnStatus.INTERRUPTED:
            session.screen.print(message("terminal.interrupted"), "warn")
        elif event.error is not None:
            session.screen.print(str(event.error), "bad")


SHOWN_LINES = 12
"""Lines of a long message that are shown again when it is sent."""

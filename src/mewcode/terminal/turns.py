"""Messages of the person on their way to the agent, and the events of its turns on their way to the screen."""

import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.cleaning import bare
from mewcode.terminal.said import Said
from mewcode.terminal.width import wrap

if TYPE_CHECKING:
    from mewcode.agent import Agent, Event, TurnFinished, UserMessage
    from mewcode.calls import Question
    from mewcode.terminal.session import Session
    from mewcode.terminal.turn_view import TurnView

AWAY_SECONDS = 20.0
"""A turn that took longer than this ends with a bell: the person may be elsewhere by then."""
SHOWN_LINES = 12
"""Lines of a long message that are shown again when it is sent."""


class Turns:
    def __init__(self, session: "Session") -> None:
        self._session = session
        self._live = session.screen.live
        self.view: TurnView | None = None
        self.waiting: list[Said] = []
        """Messages that wait for the house to open, or for what goes on to end."""
        self.count = 0
        self._ended_well = False
        self.notes: list[str] = []
        """What the model should know with the next message: output of the person's own commands."""

    def say(self, said: Said) -> None:
        """Sends a message, or queues it for the agent that works."""
        agent = self._session.agent
        if agent is not None and agent.busy:
            self._live.queued.append(said.text)
            self._live.changed = True
            self._session.work.now(lambda: self._queue(agent, said))
            return
        self.waiting.append(said)
        self.print_message(said.text)
        self._session.work.do(lambda: self._turn(said))

    def take_back(self) -> str | None:
        """Messages that the agent has not got yet, for the person to change; None when there are none."""
        agent = self._session.agent
        if self._live.queued and agent is not None:
            return "\n".join(one.text for one in self._unqueued(agent)) or None
        return self.waiting.pop().text if self.waiting else None

    def print_message(self, text: str) -> None:
        screen = self._session.screen
        self._session.transcript.add(message("terminal.you"), bare(text))
        if not screen.echoes:
            return
        lines = wrap(bare(text).rstrip(), screen.width - 3).split("\n")
        if len(lines) > SHOWN_LINES:
            lines = [*lines[:SHOWN_LINES], f"… +{len(lines) - SHOWN_LINES}"]
        first, *rest = lines
        screen.print("\n" + "\n".join([screen.ink.paint(f"> {first}", "user"), *(f"  {line}" for line in rest)]))

    # --- one turn ------------------------------------------------------------------------------------------------

    async def _turn(self, said: Said) -> None:
        if not await self._opened(said):
            return
        agent, view = self._session.agent, self.view
        if agent is None or view is None:
            return
        began = time.monotonic()
        self.count += 1
        self._ended_well = False
        view.begin(embedded=agent.model.profile.embedded)
        try:
            notes, self.notes = self.notes, []
            ready = await self._message(replace(said, beside=(*notes, *said.beside)))
            async for event in agent.run(ready):
                await self._event(agent, event)
        finally:
            view.end()
            self._session.look_around()
            self._left_over(agent)
        if time.monotonic() - began > AWAY_SECONDS:
            self._session.notify(message("terminal.finished"))

    async def _opened(self, said: Said) -> bool:
        """Waits until there is an agent. False when the message was taken back meanwhile."""
        household = self._session.household
        self._live.begin(message("terminal.opening"))
        try:
            await household.settled.wait()
            if household.problem is not None and not household.ready.is_set():
                self._live.begin(message("terminal.waits_for_model"))
                self._ask_for_a_model()
            await household.ready.wait()
        finally:
            self._live.end()
        if said not in self.waiting:
            return False
        self.waiting.remove(said)
        return True

    def _ask_for_a_model(self) -> None:
        from mewcode.terminal.first_run import choose_model

        self._session.work.now(lambda: choose_model(self._session))

    async def _message(self, said: Said) -> "UserMessage":
        from mewcode.agent import UserMessage
        from mewcode.terminal.mentions import Fetched, fetch_mentions

        fetched = Fetched() if said.whole else await fetch_mentions(self._session, said.text)
        return UserMessage(said.text, (*said.beside, *fetched.texts), (*said.images, *fetched.images))

    # --- messages that come while the agent works ------------------------------------------------------------------

    async def _queue(self, agent: "Agent", said: Said) -> None:
        ready = await self._message(said)
        if agent.busy:
            agent.queue(ready)
            return
        with suppress(ValueError):  # the turn ended meanwhile
            self._live.queued.remove(said.text)
        self.say(said)

    def _left_over(self, agent: "Agent") -> None:
        """What came too late for the turn begins another one. After an interrupt or a failure it goes back into the
        line: the person may want something else now."""
        left = self._unqueued(agent)
        if self._ended_well:
            for one in left:
                self.say(Said(one.text, one.beside, one.images, whole=True))
        elif left:
            self._session.screen.composer.put("\n".join(one.text for one in left))

    def _unqueued(self, agent: "Agent") -> "tuple[UserMessage, ...]":
        left = agent.take_back()
        for one in left:
            with suppress(ValueError):
                self._live.queued.remove(one.text)
        self._live.changed = True
        return left

    # --- what the agent tells ----------------------------------------------------------------------------------------

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
        self._ended_well = event.status is TurnStatus.DONE
        status, spent = session.status, agent.spent.joined(event.spent)
        status.tokens, status.cost = spent.input + spent.output, spent.cost
        if event.status is TurnStatus.INTERRUPTED:
            session.screen.print(message("terminal.interrupted"), "warn")
        elif event.error is not None:
            session.screen.print(str(event.error), "bad")

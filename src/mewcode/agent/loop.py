"""The agent of one session: takes messages, runs turns, and tells what happens as events."""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from mewcode.agent.events import Event, Notice, NoticeLevel, TurnFinished, TurnStarted
from mewcode.agent.limits import Limits, Spent
from mewcode.agent.outputs import Outputs
from mewcode.agent.ports import AgentOptions, AgentPorts
from mewcode.agent.running import RunningTurn
from mewcode.agent.sessions import Session
from mewcode.agent.user_message import UserMessage, message_of
from mewcode.calls import Answer, Principal
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.models.importing import importing
from mewcode.models.interface import LanguageModel

if TYPE_CHECKING:
    from mewcode.agent.context_shares import ContextShares
    from mewcode.agent.workbench import Workbench
    from mewcode.models import Finished

EVENT_BUFFER = 64
"""Events a slow screen may lag behind before the loop waits for it."""

END_SECONDS = 10.0
"""How long the end of a turn or a session may take before we stop waiting for it."""


class Agent:
    """Use as `async with Agent(...) as agent:`; then `async for event in agent.run("...")`, one turn at a time.

    Leaving the block ends the turn, the session's jobs and grants, and closes its file.
    """

    def __init__(
        self, model: LanguageModel, ports: AgentPorts, session: Session, options: AgentOptions | None = None
    ) -> None:
        self.session = session
        self.spent = Spent()
        self._model = model
        self._ports = ports
        self._options = options or AgentOptions()
        self._queued: list[UserMessage] = []
        self._tasks = anyio.create_task_group()
        self._workbench: Workbench | None = None
        self._running: RunningTurn | None = None

    async def __aenter__(self) -> "Agent":
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.interrupt()
        self._tasks.cancel_scope.cancel()
        try:
            # The block's own error is not the task group's: passed in, it would come out wrapped in a group.
            await self._tasks.__aexit__(None, None, None)
        finally:
            with anyio.move_on_after(END_SECONDS, shield=True):
                await self._ports.gate.end_session(self.session.id)
            self.session.close()

    @property
    def model(self) -> LanguageModel:
        return self._model

    @property
    def principal(self) -> Principal:
        return self._ports.principal

    @property
    def outputs(self) -> Outputs:
        """The session's folder for what is too long to be shown whole."""
        return Outputs(self._ports.outputs)

    @property
    def busy(self) -> bool:
        return self._running is not None

    async def context_shares(self) -> "ContextShares":
        """What fills the model's window, by kind."""
        return (await self._bench()).context_shares()

    def check_limits(self) -> None:
        """Raises LimitReachedError when one more request to the model would go over a limit of the turn."""
        if self._workbench is not None:
            self._workbench.budget.check()

    def count(self, finished: "Finished") -> None:
        """Counts a request to the model that was made on the side, for a server, as one of the turn's own."""
        if self._workbench is not None:
            self._workbench.budget.count(finished)

    def use_model(self, model: LanguageModel) -> None:
        """Answers come from `model` from the next turn on. The old one is the caller's to close."""
        self._model = model
        if self._workbench is not None:
            self._workbench.use_model(model)

    async def run(self, prompt: str | UserMessage, *, limits: Limits | None = None) -> AsyncGenerator[Event, None]:
        """One turn, event by event; the last is `TurnFinished`. Closing the iterator interrupts the turn.

        Raises UsageError when a turn is running already.
        """
        if self._running is not None:
            raise UsageError("agent.busy", session=self.session.id)
        send, receive = anyio.create_memory_object_stream[Event](EVENT_BUFFER)
        running = self._running = RunningTurn(send)
        try:
            self._tasks.start_soon(self._work, running, message_of(prompt), limits or self._options.limits)
            async with receive:
                async for event in receive:
                    yield event
            running.raise_failure()
        finally:
            running.interrupt()
            with anyio.move_on_after(END_SECONDS, shield=True):
                await running.ended.wait()
            self._running = None

    def answer(self, question_id: str, answer: Answer) -> bool:
        """Passes on what somebody answered to a `QuestionAsked`; False when nobody waits for it any more."""
        return self._running is not None and self._running.answer(question_id, answer)

    def take_back(self) -> tuple[UserMessage, ...]:
        """Queued messages that the model has not got, which it does not get any more."""
        return tuple(self._take_queued())

    def interrupt(self) -> None:
        """Stops the turn: running calls are cancelled, and the history stays valid."""
        if self._running is not None:
            self._running.interrupt()

    def queue(self, text: str | UserMessage) -> None:
        """A message for the model while it works: it gets it with the next results, or at the end of its answer."""
        self._queued.append(message_of(text))

    async def compact(self) -> AsyncIterator[Event]:
        """Summarises the conversation now, whatever its size."""
        bench = await self._bench()
        events: list[Event] = []

        async def keep(event: Event) -> None:
            events.append(event)

        await bench.compact(keep)
        for event in events:
            yield event

    # --- inside ------------------------------------------------------------------------------------------------

    async def _work(self, running: RunningTurn, prompt: UserMessage, limits: Limits) -> None:
        try:
            await running.emit(TurnStarted(self.session.id, prompt.text))
            finished = await self._turn(running, prompt, limits)
            self.spent = self.spent.joined(finished.spent)
            self.session.turn_ended(finished.status.value, finished.spent)
            await running.emit(finished)
        except Exception as error:  # noqa: BLE001 - raised again by whoever iterates over run()
            running.failure = error
        finally:
            running.send.close()
            running.ended.set()

    async def _turn(self, running: RunningTurn, prompt: UserMessage, limits: Limits) -> TurnFinished:
        bench = await self._bench()
        if bench.closed_calls:
            text = message("agent.resumed_pending", count=bench.closed_calls)
            await running.emit(Notice(text, NoticeLevel.WARNING))
            bench.closed_calls = 0
        return await bench.run_turn(prompt, limits, running, self._take_queued)

    async def _bench(self) -> "Workbench":
        """Loaded at the first turn, in a thread: what it imports takes half a second."""
        if self._workbench is None:
            make = await anyio.to_thread.run_sync(_load_workbench)
            self._workbench = make(self._model, self._ports, self.session, replace(self._options))
        return self._workbench

    def _take_queued(self) -> list[UserMessage]:
        taken, self._queued = self._queued, []
        return taken


def _load_workbench() -> "type[Workbench]":
    with importing():
        from mewcode.agent.workbench import Workbench

    return Workbench

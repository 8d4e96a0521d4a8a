"""The turn that is being worked on, as the outside reaches it."""

from collections.abc import Callable

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from mewcode.agent.events import Event
from mewcode.calls import Answer


class RunningTurn:
    """Carries events out, and interruptions and answers in, from before the turn is made until it has ended."""

    def __init__(self, send: MemoryObjectSendStream[Event]) -> None:
        self.send = send
        self.ended = anyio.Event()
        self.failure: Exception | None = None
        self.on_interrupt: Callable[[], None] | None = None
        self.on_answer: Callable[[str, Answer], bool] | None = None
        self.interrupted = False

    async def emit(self, event: Event) -> None:
        """An event that nobody listens for any more is dropped: the turn is being interrupted then."""
        try:
            await self.send.send(event)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    def answer(self, question_id: str, answer: Answer) -> bool:
        return self.on_answer is not None and self.on_answer(question_id, answer)

    def interrupt(self) -> None:
        self.interrupted = True
        if self.on_interrupt is not None:
            self.on_interrupt()

    def raise_failure(self) -> None:
        if self.failure is not None:
            raise self.failure

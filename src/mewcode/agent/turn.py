"""One turn, from a message of the person to the final answer: request, stream, run the calls, feed back, repeat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio
from pydantic_ai.messages import BinaryContent, ModelResponse, TextPart, ToolReturnPart, UserContent

from mewcode.agent.compaction import Room
from mewcode.agent.conversation import Conversation
from mewcode.agent.events import MessageTaken, Refusal, TextFinished, TurnFinished, TurnStatus, UsageUpdated
from mewcode.agent.limits import Budget
from mewcode.agent.ports import AgentOptions
from mewcode.agent.questions import Emit
from mewcode.agent.recovery import Recovery
from mewcode.agent.reminders import Reminders, wrap_reminder
from mewcode.agent.reply import Partial, calls_of, stream_reply, text_of
from mewcode.agent.tool_calls import DoneCall, ToolCalls, WantedCall
from mewcode.agent.tool_list import ToolList
from mewcode.agent.user_message import UserMessage
from mewcode.calls import ErrorKind
from mewcode.errors import LimitReachedError, MewCodeError, ModelError
from mewcode.models.events import Finished
from mewcode.models.interface import LanguageModel, ModelInput

INTERRUPTED_CALL = (
    "Interrupted: the call was stopped before it ended; whether it had an effect is unknown. Check before you do it "
    "again."
)
_INTERRUPTED_TURN = "The person interrupted you here."
_TOO_LONG = frozenset({"models.too_long", "models.embedded_too_long"})
_LIMITED = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.BREAKER_OPEN})


@dataclass
class TurnParts:
    """What a turn works with; the agent makes it."""

    model: LanguageModel
    conversation: Conversation
    options: AgentOptions
    budget: Budget
    system: str
    tools: ToolList
    calls: ToolCalls
    reminders: Reminders
    room: Room
    emit: Emit
    take_queued: Callable[[], Sequence[UserMessage]]


class Turn:
    """Runs once. `interrupt` may be called at any moment; the history is valid afterwards."""

    def __init__(self, parts: TurnParts) -> None:
        self._parts = parts
        self._scope = anyio.CancelScope()
        self._interrupted = False
        profile = parts.model.profile
        self._recovery = Recovery(parts.model.name, stop_on_repeat=profile.stop_on_repeated_call)
        self._partial = Partial()
        self._text = ""
        self._compacted_for_error = False
        self._refusals: list[Refusal] = []
        self._last_step: tuple[ErrorKind | None, ...] = ()

    def interrupt(self) -> None:
        self._interrupted = True
        self._scope.cancel()

    async def run(self) -> TurnFinished:
        """Works until the model has answered, somebody interrupts, or something stops it; never raises for those."""
        status, error = TurnStatus.DONE, None
        try:
            with self._scope:
                self._set_deadline()
                await self._steps()
            if self._scope.cancelled_caught:
                status, error = self._why_cancelled()
        except LimitReachedError as limit:
            status, error = TurnStatus.LIMIT, limit
        except ModelError as failure:
            status, error = TurnStatus.MODEL_ERROR, failure
        except MewCodeError as failure:
            status, error = TurnStatus.FAILED, failure
        finally:
            self._settle()
        return self._finished(status, error)

    # --- the loop ----------------------------------------------------------------------------------------------

    async def _steps(self) -> None:
        parts = self._parts
        while True:
            parts.budget.check()
            if await parts.room.make(parts.system, parts.tools.specs()):
                parts.reminders.forget()
            parts.conversation.add_user(*parts.reminders.fresh())
            try:
                finished = await self._ask_model()
            except ModelError as error:
                if error.code not in _TOO_LONG or self._compacted_for_error:
                    raise
                self._compacted_for_error = True
                await parts.room.compact_now(parts.system, parts.tools.specs())
                parts.reminders.forget()
                continue
            if await self._use(finished):
                return

    async def _ask_model(self) -> Finished:
        parts = self._parts
        request = ModelInput(
            list(parts.conversation.messages), parts.tools.specs(), parts.system, parts.options.max_output_tokens
        )
        finished = await stream_reply(parts.model, request, parts.emit, self._partial)
        parts.budget.count(finished)
        return finished

    async def _use(self, finished: Finished) -> bool:
        """Takes an answer in and acts on it; True when it was the last."""
        conversation = self._parts.conversation
        text, cut = text_of(finished.response), finished.finish == "length"
        calls: tuple[WantedCall, ...] = ()
        if text.strip() or calls_of(finished.response, cut):
            calls = calls_of(conversation.add_response(finished.response), cut)
            conversation.tokens_reported(finished.usage.input + finished.usage.output)
        self._partial.text = ""
        await self._report(text)
        if calls:
            await self._run_calls(calls)
            await self._take_queued()
            return False
        self._text += text
        again = self._what_was_wrong(finished.finish, text)
        if again is not None:
            conversation.add_user(wrap_reminder(again))
            return False
        self._recovery.after_answer()
        return not await self._take_queued()

    def _what_was_wrong(self, finish: str, text: str) -> str | None:
        if finish == "content_filter":
            return self._recovery.after_refusal()
        if finish == "length":
            return self._recovery.after_cut()
        return None if text.strip() else self._recovery.after_empty()

    async def _run_calls(self, calls: tuple[WantedCall, ...]) -> None:
        self._text = ""
        self._recovery.after_answer()
        self._recovery.before_calls(calls)
        done: list[DoneCall] = []

        def keep(call: DoneCall) -> None:
            self._parts.conversation.add_parts([_as_part(call)])
            done.append(call)

        await self._parts.calls.run(calls, keep)
        self._remember_refusals(done)
        self._recovery.after_calls(done)

    def _remember_refusals(self, done: Sequence[DoneCall]) -> None:
        errors = [(call, call.result.error) for call in done]
        self._last_step = tuple(error.kind if error else None for _, error in errors)
        self._refusals += [
            Refusal(call.wanted.id, call.wanted.tool, error.message)
            for call, error in errors
            if error is not None and error.kind is ErrorKind.REFUSED
        ]

    async def _take_queued(self) -> bool:
        """Gives the model what the person wrote meanwhile; True when there was something."""
        queued = self._parts.take_queued()
        for one in queued:
            self._parts.conversation.add_message(one)
            await self._parts.emit(MessageTaken(one.text))
        if queued:
            self._text = ""
            self._parts.budget.person_spoke()
        return bool(queued)

    # --- around it ---------------------------------------------------------------------------------------------

    async def _report(self, text: str) -> None:
        parts = self._parts
        if text.strip():
            await parts.emit(TextFinished(text))
        window = parts.model.context_window
        await parts.emit(UsageUpdated(parts.budget.spent, parts.conversation.tokens(), window))

    def _set_deadline(self) -> None:
        left = self._parts.budget.seconds_left
        if left is not None:
            self._scope.deadline = anyio.current_time() + left

    def _why_cancelled(self) -> tuple[TurnStatus, MewCodeError | None]:
        if self._interrupted:
            return TurnStatus.INTERRUPTED, None
        return TurnStatus.LIMIT, self._parts.budget.out_of_time()

    def _settle(self) -> None:
        """Leaves a valid history, however the turn ended. Waits for nothing, so that cancellation cannot stop it."""
        conversation = self._parts.conversation
        conversation.close_pending(INTERRUPTED_CALL)
        if self._partial.text.strip():
            conversation.add_response(ModelResponse(parts=[TextPart(self._partial.text)]))
            self._text += self._partial.text
        if self._interrupted:
            conversation.add_user(wrap_reminder(_INTERRUPTED_TURN))

    def _finished(self, status: TurnStatus, error: MewCodeError | None) -> TurnFinished:
        return TurnFinished(
            status,
            self._text,
            self._parts.budget.spent,
            tuple(self._refusals),
            last_step_refused=ErrorKind.REFUSED in self._last_step,
            last_step_limited=any(kind in _LIMITED for kind in self._last_step),
            error=error,
        )


def _as_part(done: DoneCall) -> ToolReturnPart:
    rendered = done.rendered
    content: str | list[UserContent] = rendered.text
    if rendered.images:
        images = [BinaryContent(image.data, media_type=image.media_type) for image in rendered.images]
        content = [rendered.text, *images]
    outcome = "failed" if done.result.is_error else "success"
    return ToolReturnPart(done.wanted.tool, content, done.wanted.id, outcome=outcome)

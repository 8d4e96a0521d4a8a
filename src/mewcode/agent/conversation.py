"""The messages between us and the model, always in a state that every provider accepts, and saved as they come."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from mewcode.agent.journal import Journal, Record
from mewcode.agent.saved_messages import dumped, loaded
from mewcode.agent.shortening import shortened
from mewcode.agent.tokens import estimate_messages_tokens
from mewcode.agent.user_message import UserMessage

_ODD_ID = re.compile(r"[^A-Za-z0-9_-]")


class Conversation:
    """Holds three truths: requests and responses alternate, every tool call is answered in the request that follows
    it, and what is in memory is what a reader of the journal gets.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.messages: list[ModelMessage] = []
        self._journal = journal
        self._ids = itertools.count(1)
        self._known_ids: set[str] = set()
        self._reported_tokens = 0
        self._reported_messages = 0

    # --- growing -----------------------------------------------------------------------------------------------

    def add_user(self, *texts: str) -> None:
        """Text for the newest user turn: a prompt, a reminder, or what went wrong."""
        self.add_parts([UserPromptPart(text) for text in texts if text])

    def add_message(self, message: UserMessage) -> None:
        """What the person says, what goes along with it, and pictures."""
        parts = [UserPromptPart(text) for text in (message.text, *message.attachments) if text]
        if message.images:
            pictures = [BinaryContent(image.data, media_type=image.media_type) for image in message.images]
            parts.append(UserPromptPart(pictures))
        self.add_parts(parts)

    def add_parts(self, parts: Sequence[ModelRequestPart]) -> None:
        if not parts:
            return
        self._join_request(parts)
        self._record({"type": "message", "message": dumped(ModelRequest(parts=parts))})

    def add_response(self, response: ModelResponse) -> ModelResponse:
        """Takes the model's answer in, with ids of calls made unique; returns it as it is kept."""
        kept = replace(response, parts=[self._with_own_id(part) for part in response.parts])
        self._append_response(kept)
        self._record({"type": "message", "message": dumped(kept)})
        return kept

    def pending_calls(self) -> tuple[ToolCallPart, ...]:
        """The calls of the newest response that have no result yet."""
        response = next((m for m in reversed(self.messages) if isinstance(m, ModelResponse)), None)
        if response is None:
            return ()
        answered = {part.tool_call_id for part in self._newest_parts() if isinstance(part, ToolReturnPart)}
        return tuple(p for p in response.parts if isinstance(p, ToolCallPart) and p.tool_call_id not in answered)

    def close_pending(self, text: str) -> int:
        """Answers every open call with `text`, so that the history is valid; returns how many there were."""
        pending = self.pending_calls()
        self.add_parts(
            [ToolReturnPart(call.tool_name, text, call.tool_call_id, outcome="interrupted") for call in pending]
        )
        return len(pending)

    # --- shrinking ---------------------------------------------------------------------------------------------

    def shorten(self, call_ids: Iterable[str]) -> None:
        """Cuts the results of these calls to their beginnings."""
        wanted = set(call_ids)
        self._shorten(wanted)
        self._record({"type": "shortened", "ids": sorted(wanted)})

    def replace_all(self, messages: Sequence[ModelMessage]) -> None:
        """Puts a compacted history in the place of the whole."""
        self._set(messages)
        self._record({"type": "compacted", "messages": [dumped(message) for message in messages]})

    # --- measuring ---------------------------------------------------------------------------------------------

    def tokens_reported(self, tokens: int) -> None:
        """The provider counted the whole conversation, its newest response included."""
        self._reported_tokens = tokens
        self._reported_messages = len(self.messages)

    @property
    def was_counted(self) -> bool:
        """Whether a provider has counted this conversation; its count includes system prompt and tools."""
        return self._reported_tokens > 0

    def tokens(self) -> int:
        """What the provider last counted, plus a quarter token a byte for what came since."""
        return self._reported_tokens + estimate_messages_tokens(self.messages[self._reported_messages :])

    # --- reading back ------------------------------------------------------------------------------------------

    @classmethod
    def replay(cls, records: Iterable[Record], journal: Journal | None = None) -> "Conversation":
        """The conversation that was saved. Raises ValueError for a message that this version cannot read."""
        conversation = cls(journal)
        for record in records:
            conversation._apply(record)
        return conversation

    def _apply(self, record: Record) -> None:
        kind = record.get("type")
        if kind == "message":
            message = loaded([record["message"]])[0]
            if isinstance(message, ModelResponse):
                self._append_response(message)
            else:
                self._join_request(message.parts)
        elif kind == "shortened":
            self._shorten(set(record["ids"]))
        elif kind == "compacted":
            self._set(loaded(record["messages"]))

    # --- inside ------------------------------------------------------------------------------------------------

    def _record(self, record: Record) -> None:
        if self._journal is not None:
            self._journal.append(record)

    def _newest_parts(self) -> Sequence[ModelRequestPart]:
        newest = self.messages[-1] if self.messages else None
        return newest.parts if isinstance(newest, ModelRequest) else ()

    def _join_request(self, parts: Sequence[ModelRequestPart]) -> None:
        """Adds to the newest request, results first and in the order of their calls, as providers want them."""
        joined = [*self._newest_parts(), *parts]
        if self.messages and isinstance(self.messages[-1], ModelRequest):
            self.messages.pop()
            self._reported_messages = min(self._reported_messages, len(self.messages))
        order = self._call_order()
        results = [part for part in joined if isinstance(part, ToolReturnPart)]
        results.sort(key=lambda part: order.get(part.tool_call_id, len(order)))
        others = [part for part in joined if not isinstance(part, ToolReturnPart)]
        self.messages.append(ModelRequest(parts=[*results, *others]))

    def _call_order(self) -> dict[str, int]:
        response = self.messages[-1] if self.messages else None
        if not isinstance(response, ModelResponse):
            return {}
        calls = (part.tool_call_id for part in response.parts if isinstance(part, ToolCallPart))
        return {call_id: place for place, call_id in enumerate(calls)}

    def _append_response(self, response: ModelResponse) -> None:
        self.messages.append(response)
        self._known_ids.update(part.tool_call_id for part in response.parts if isinstance(part, ToolCallPart))

    def _with_own_id(self, part: Any) -> Any:
        """Some servers number the calls of each answer from zero: an id that was there before is made a new one."""
        if not isinstance(part, ToolCallPart):
            return part
        call = cast("ToolCallPart[Any]", part)
        call_id = _ODD_ID.sub("_", call.tool_call_id)[:64]
        while not call_id or call_id in self._known_ids:
            call_id = f"call_{next(self._ids)}_{len(self._known_ids)}"
        self._known_ids.add(call_id)
        return call if call_id == call.tool_call_id else replace(call, tool_call_id=call_id)

    def _shorten(self, call_ids: set[str]) -> None:
        self.messages = [shortened(message, call_ids) for message in self.messages]
        self._forget_count()

    def _set(self, messages: Sequence[ModelMessage]) -> None:
        self.messages = list(messages)
        self._forget_count()

    def _forget_count(self) -> None:
        self._reported_tokens = 0
        self._reported_messages = 0

"""Questions that wait for an answer: each good once, for one call of one principal in one session."""

import hashlib
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mewcode.calls import Answer, Json, Question, QuestionKind, ToolCall
from mewcode.tools import Tool

GOOD_FOR = 600.0
"""Seconds in which a question may be answered."""

MOST_OF_ONE = 200
"""Questions of one principal that wait at once; beyond it the oldest counts as not answered."""


@dataclass(frozen=True)
class Pending:
    """A question that waits. `approved` is True for the second question of a call whose first was answered."""

    question: Question
    approved: bool = False


class QuestionStore(Protocol):
    """Where pending questions wait. `take` gives each at most once, however many replicas ask."""

    async def put(self, pending: Pending) -> None: ...

    async def take(self, question_id: str) -> Pending | None: ...

    async def end_session(self, session: str) -> None: ...


class MemoryQuestions:
    """Pending questions of one process."""

    def __init__(self) -> None:
        self._pending: dict[str, Pending] = {}

    async def put(self, pending: Pending) -> None:
        now = time.time()
        self._pending = {key: kept for key, kept in self._pending.items() if kept.question.expires_at > now}
        whose = pending.question.principal
        own = [key for key, kept in self._pending.items() if kept.question.principal == whose]
        for oldest in own[: len(own) + 1 - MOST_OF_ONE]:
            del self._pending[oldest]
        self._pending[pending.question.id] = pending

    async def take(self, question_id: str) -> Pending | None:
        return self._pending.pop(question_id, None)

    async def end_session(self, session: str) -> None:
        self._pending = {key: kept for key, kept in self._pending.items() if kept.question.session != session}


def fingerprint(call: ToolCall, tool: Tool) -> str:
    """Identifies what is approved: who, in which session, which tool as it is defined now, with which arguments."""
    definition = [
        tool.name,
        tool.server,
        tool.original_name,
        tool.description,
        tool.parameters,
        tool.definition_fingerprint(),
    ]
    parts = [call.principal.name, call.session, definition, call.arguments]
    return hashlib.sha256(_canonical(parts).encode("utf-8", "backslashreplace")).hexdigest()


def new_question_id() -> str:
    return f"q_{uuid.uuid4().hex}"


def answers(answer: Answer, pending: Pending | None, call: ToolCall, tool: Tool) -> str | None:
    """Why the answer does not fit this call, None where it does. `pending` has been taken: it will not come again."""
    if pending is None:
        return "that question is not open: it was answered already, has expired, or was never asked"
    question = pending.question
    if question.expires_at <= time.time():
        return "that question has expired"
    same = fingerprint(call, tool)
    if not question.fingerprint == answer.fingerprint == same:
        return "the answer was given for another call: arguments, tool definition, session or caller differ"
    return None


def is_confirmation(pending: Pending) -> bool:
    return pending.question.kind is QuestionKind.CONFIRMATION


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=_plain)


def _plain(value: object) -> Json:
    return dict(value) if isinstance(value, Mapping) else repr(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

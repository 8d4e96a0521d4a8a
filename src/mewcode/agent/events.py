"""What the loop tells whoever watches: typed events, questions included. Screens and streams only consume them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mewcode.agent.limits import Spent
from mewcode.calls import Json, Question, ToolResult
from mewcode.errors import MewCodeError


class TurnStatus(str, Enum):
    DONE = "done"
    INTERRUPTED = "interrupted"
    LIMIT = "limit"
    """A limit on steps, time or cost, or a model that repeats itself."""
    MODEL_ERROR = "model_error"
    FAILED = "failed"
    """Something else that the turn could not go on after."""


class NoticeLevel(str, Enum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Refusal:
    """A call that the gate refused, and why, for the list at the end of a run."""

    call_id: str
    tool: str
    reason: str


@dataclass(frozen=True)
class TurnStarted:
    session: str
    prompt: str


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True)
class TextVoided:
    """The stream broke and starts again: what came as text since the last tool call is void."""


@dataclass(frozen=True)
class TextFinished:
    """The whole text of one answer of the model, once it is certain."""

    text: str


@dataclass(frozen=True)
class ToolCallStarted:
    call_id: str
    tool: str
    server: str | None
    arguments: Mapping[str, Json]


@dataclass(frozen=True)
class ToolCallOutput:
    """Live output of a running call, as it comes."""

    call_id: str
    text: str


@dataclass(frozen=True)
class ToolCallProgress:
    """`done` of `total` in the tool's own unit; `total` is None where it is not known."""

    call_id: str
    done: float
    total: float | None
    note: str | None


@dataclass(frozen=True)
class ToolCallFinished:
    """`shown` is what the model gets to read of the result; `seconds` includes the time spent asking."""

    call_id: str
    tool: str
    result: ToolResult
    shown: str
    seconds: float


@dataclass(frozen=True)
class QuestionAsked:
    """Answer with `Agent.answer(question.id, ...)`; unanswered, it lapses at `question.expires_at`."""

    question: Question


@dataclass(frozen=True)
class Notice:
    """A sentence for the person, not for the model."""

    text: str
    level: NoticeLevel = NoticeLevel.INFO


@dataclass(frozen=True)
class Compacted:
    """The conversation was made smaller; sizes in tokens, estimated."""

    before: int
    after: int


@dataclass(frozen=True)
class UsageUpdated:
    """`spent` is this turn's total so far; `context` and `window` are tokens."""

    spent: Spent
    context: int
    window: int


@dataclass(frozen=True)
class MessageTaken:
    """A message that was queued while the model worked has now been given to it."""

    text: str


@dataclass(frozen=True)
class TurnFinished:
    """Always the last event of a turn. `text` is the model's final answer.

    `last_step_refused` says that the last calls the model made were refused and nothing came after;
    `last_step_limited` that they met a rate limit or an open breaker.
    """

    status: TurnStatus
    text: str
    spent: Spent
    refusals: tuple[Refusal, ...] = ()
    last_step_refused: bool = False
    last_step_limited: bool = False
    error: MewCodeError | None = None


Event: TypeAlias = (
    TurnStarted
    | TextDelta
    | ThinkingDelta
    | TextVoided
    | TextFinished
    | ToolCallStarted
    | ToolCallOutput
    | ToolCallProgress
    | ToolCallFinished
    | QuestionAsked
    | Notice
    | Compacted
    | UsageUpdated
    | MessageTaken
    | TurnFinished
)

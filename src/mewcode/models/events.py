"""What a language model yields while it answers: small typed events, the last of which is `Finished`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


@dataclass(frozen=True)
class Leaving:
    """The request leaves now: all that it needs has been imported and opened."""


@dataclass(frozen=True)
class Loading:
    """A model on this machine is read into memory first; that takes up to half a minute."""

    name: str


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True)
class ToolCallStarted:
    """The model began to write a tool call; the whole call stands in `Finished.response`."""

    id: str
    name: str


@dataclass(frozen=True)
class Retrying:
    """A request failed and is sent again after `seconds`.

    `attempt` counts from 1. With `discard`, the deltas that came since the last `Retrying`, `SwitchedModel` or the
    start belong to the broken answer: drop them, the next attempt starts afresh.
    """

    attempt: int
    seconds: float
    why: str
    discard: bool = False


@dataclass(frozen=True)
class SwitchedModel:
    """The fallback model answers from here on. `discard` as in `Retrying`."""

    name: str
    why: str
    discard: bool = False


@dataclass(frozen=True)
class Usage:
    """Tokens of one request. `input` includes what was read from and written to the provider's prompt cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )


@dataclass(frozen=True)
class Finished:
    """The whole answer, always the last event.

    `cost` is in US dollars, None where no price is known. `finish` is "stop", "length", "tool_call",
    "content_filter", "error", or whatever else the provider wrote. A response without parts is an empty answer; a tool
    call whose arguments are not JSON keeps them as the text that came.
    """

    response: "ModelResponse"
    usage: Usage
    cost: float | None
    finish: str


ModelEvent: TypeAlias = (
    Leaving | Loading | TextDelta | ThinkingDelta | ToolCallStarted | Retrying | SwitchedModel | Finished
)

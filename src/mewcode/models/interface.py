"""The one interface behind which every language model stands, whoever serves it."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from mewcode.models.events import ModelEvent

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

Thinking: TypeAlias = bool | Literal["minimal", "low", "medium", "high", "xhigh", "max"]
"""False turns thinking off where the model allows it, True asks for the provider's default effort."""


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the model sees it. `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ModelInput:
    """One request. `max_tokens` bounds the answer; None leaves it, like `thinking`, to the provider's default."""

    messages: "list[ModelMessage]"
    tools: tuple[ToolSpec, ...] = ()
    system: str = ""
    max_tokens: int | None = None
    thinking: Thinking | None = None


@dataclass(frozen=True)
class ModelProfile:
    """How the agent should treat a model.

    A small embedded model works with a short prompt of its own (`own_prompt`: the agent's system prompt is not
    sent), few tools, few steps, and everything it writes or runs is asked about. `tools` names the only tools it
    is offered; None means all.
    """

    embedded: bool = False
    own_prompt: bool = False
    max_steps: int | None = None
    ask_for_everything: bool = False
    stop_on_repeated_call: bool = False
    tools: tuple[str, ...] | None = None
    images: bool = True


class LanguageModel(Protocol):
    """A model ready to answer. `name` is "provider:model", `context_window` counts tokens."""

    @property
    def name(self) -> str: ...

    @property
    def context_window(self) -> int: ...

    @property
    def profile(self) -> ModelProfile: ...

    def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        """Answers, event by event, ending with `Finished`.

        Raises ModelError when every attempt and the fallback failed. Cancelling closes the connection.
        """
        ...

    async def close(self) -> None:
        """Lets go of connections and processes. May be called twice."""
        ...

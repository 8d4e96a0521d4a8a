"""What a server may ask of its host, and who answers: `app` provides the ports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from mewcode.calls import ToolCall


@dataclass(frozen=True)
class Elicitation:
    """A server wants something from the person: a form to fill in (`schema`), or a page to visit (`url`)."""

    server: str
    message: str
    mode: Literal["form", "url"] = "form"
    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    url: str = ""


@dataclass(frozen=True)
class ElicitationAnswer:
    action: Literal["accept", "decline", "cancel"]
    content: Mapping[str, Any] | None = None


class ElicitationPort(Protocol):
    """Asks the person. `call` is the call that the question belongs to, where that can be told."""

    async def ask(self, request: Elicitation, call: ToolCall | None) -> ElicitationAnswer: ...


@dataclass(frozen=True)
class SamplingRequest:
    """A server wants a language model to answer. `messages` are the specification's, as plain data."""

    server: str
    messages: Sequence[Mapping[str, Any]]
    system_prompt: str | None
    max_tokens: int
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()


@dataclass(frozen=True)
class SamplingAnswer:
    text: str
    model: str
    stop_reason: str = "endTurn"


class SamplingPort(Protocol):
    """Asks for approval through the gate, then asks the model. None refuses."""

    async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None: ...


class Observer(Protocol):
    """Hears what happens with the servers. Must be quick."""

    def notice(self, server: str, text: str) -> None:
        """Something was mended, or is worth a line to the user. The text is in English, for logs and `mcp get`."""
        ...

    def log(self, server: str, level: str, text: str) -> None:
        """A log message of the server's."""
        ...

    def resource_updated(self, server: str, uri: str) -> None: ...

    def lists_changed(self, server: str) -> None:
        """Its prompts or resources are others than before."""
        ...

    def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
        """Tools that were known have another description or schema than before."""
        ...


class SilentObserver:
    """For callers who do not want to hear."""

    def notice(self, server: str, text: str) -> None:
        return

    def log(self, server: str, level: str, text: str) -> None:
        return

    def resource_updated(self, server: str, uri: str) -> None:
        return

    def lists_changed(self, server: str) -> None:
        return

    def definition_changed(self, server: str, tools: tuple[str, ...]) -> None:
        return


@dataclass(frozen=True)
class Ports:
    """None switches a capability off: it is then not declared to servers at all."""

    elicitation: ElicitationPort | None = None
    sampling: SamplingPort | None = None
    observer: Observer = field(default_factory=SilentObserver)
    observer_of: Callable[[str], Observer] | None = None
    """Who hears of the connections of one principal, where each has its own; nobody when None."""

    def of(self, principal: str) -> "Ports":
        """The ports of one principal's connection: what happens there is nobody else's business."""
        return replace(self, observer=self.observer_of(principal) if self.observer_of else SilentObserver())

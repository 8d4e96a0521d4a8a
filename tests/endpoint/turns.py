"""What the scripted endpoint answers: turns, and the ways in which a provider can fail."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class Call:
    """A tool call. `arguments` as text goes out as it is, broken JSON included. In OpenAI's Responses a name may have a
    namespace before a slash."""

    name: str
    arguments: dict[str, Any] | str = field(default_factory=dict)
    id: str = ""

    @property
    def json(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


FaultKind: TypeAlias = Literal["status", "cut", "malformed", "silence", "no_answer", "ended", "slow", "error_event"]


@dataclass(frozen=True)
class Fault:
    """How a turn goes wrong, `times` times; after that it is answered well.

    status: an HTTP error (`status`, `retry_after` seconds, `body`).
    cut: the connection is closed after `after` events (0: before the first).
    ended: the same, but the stream closes in good order.
    malformed: an event that is not JSON after `after` events.
    silence: the stream opens, then nothing for `seconds`.
    no_answer: a stream without a single event.
    slow: `seconds` before each event.
    error_event: an error object inside a stream that began with 200.
    """

    kind: FaultKind
    times: int = 1
    status: int = 500
    retry_after: float | None = None
    body: str | None = None
    after: int = 0
    seconds: float = 3600.0


@dataclass(frozen=True)
class Turn:
    """One answer. `finish` overrides the finish reason; without text and calls the answer is empty."""

    text: str = ""
    calls: Sequence[Call] = ()
    thinking: str = ""
    input_tokens: int = 100
    output_tokens: int = 10
    cached_tokens: int = 0
    finish: str | None = None
    fault: Fault | None = None
    pieces: int = 3
    """Into how many deltas text and arguments are cut."""


@dataclass(frozen=True)
class Recorded:
    """A request as it came: `index` counts the answered turns before it, `time` is time.monotonic()."""

    index: int
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    time: float

    @property
    def json(self) -> Any:
        return json.loads(self.raw) if self.raw else None

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.json["messages"]


Answer: TypeAlias = Turn | str | Callable[[Recorded], "Turn | str"]
Script: TypeAlias = Sequence[Answer] | Callable[[Recorded], "Turn | str"]


def cut_up(text: str, pieces: int) -> list[str]:
    """`text` in about `pieces` parts, none of them empty."""
    size = max(1, -(-len(text) // max(pieces, 1)))
    return [text[start : start + size] for start in range(0, len(text), size)]


def script_from_json(text: str) -> list[Turn]:
    """A script file: a list of objects with the fields of Turn; `calls` as {name, arguments, id}, `fault` as Fault."""
    return [_turn(entry) for entry in json.loads(text)]


def _turn(entry: dict[str, Any] | str) -> Turn:
    if isinstance(entry, str):
        return Turn(entry)
    fields = dict(entry)
    calls = tuple(Call(**call) for call in fields.pop("calls", ()))
    fault = fields.pop("fault", None)
    return Turn(calls=calls, fault=Fault(**fault) if fault else None, **fields)

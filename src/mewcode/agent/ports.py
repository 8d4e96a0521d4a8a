"""What the agent needs from the rest of the house; `app` fills it in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from mewcode.agent.limits import Limits
from mewcode.calls import Answer, Principal, Question, ToolCall, ToolResult
from mewcode.tools.base import Tool

Reminder: TypeAlias = Callable[[], str | None]
"""Says what the model should know now, or None. Asked before every request; told to the model when it changed."""

News: TypeAlias = Callable[[], Reminder]
"""Makes a teller of news: each call of it gives what is new since the last one, or None. A new one is made when the
model has forgotten everything (after a compaction)."""

Fence: TypeAlias = Callable[[str, ToolResult], str]
"""Wraps the text of a result so that the model can tell it from instructions (origin and trust)."""


class Gate(Protocol):
    """The only way to a tool."""

    async def call(self, call: ToolCall, answer: Answer | None = None) -> ToolResult | Question: ...

    async def end_session(self, session: str) -> None: ...


@dataclass(frozen=True)
class AgentOptions:
    """`result_characters` bounds one tool result in the context. `shorten_at` and `compact_at` are shares of the
    model's window at which old results are shortened (all but the newest `keep_results`), and at which the conversation
    is summarised. `instructions` are names of files of the project, read up to `instructions_characters` in all.
    """

    limits: Limits = field(default_factory=Limits)
    result_characters: int = 25_000
    instructions: tuple[str, ...] = ("AGENTS.md", "MEWCODE.md")
    instructions_characters: int = 32_000
    max_output_tokens: int | None = None
    shorten_at: float = 0.6
    keep_results: int = 10
    compact_at: float = 0.8
    parallel_calls: int = 8


@dataclass(frozen=True)
class AgentPorts:
    """`tools` gives the tools whose schemas the model should have now (built-ins, and what was found by searching);
    `find_tool` any tool of the registry by its name. `reminders` and `news` are keyed by subject. `outputs` is the
    session's folder for whole results. `prompt_addition` is what the person's settings add to the system prompt.
    """

    gate: Gate
    tools: Callable[[], Sequence[Tool]]
    find_tool: Callable[[str], Tool | None]
    principal: Principal
    workspace: Path
    outputs: Path
    fence: Fence
    reminders: Mapping[str, Reminder] = field(default_factory=dict[str, Reminder])
    news: Mapping[str, News] = field(default_factory=dict[str, News])
    prompt_addition: str = ""

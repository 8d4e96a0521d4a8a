"""The agent's loop, and the screen that shows it."""

from typing import Literal

from pydantic import Field

from mewcode.config.quantities import Duration
from mewcode.config.schema.base import Group


class AgentGroup(Group):
    """The agent's loop."""

    max_turns: int = Field(default=100, ge=1)
    """Requests to the model for one task."""
    max_time: Duration | None = None
    """Seconds for one task; no limit when absent."""
    max_cost: float | None = Field(default=None, ge=0)
    """US dollars for one task; no limit when absent."""
    compact_at: float = Field(default=0.8, gt=0.1, lt=1.0)
    """The share of the context window after which the conversation is compacted."""
    keep_results: int = Field(default=10, ge=0)
    """The newest tool results that are never shortened."""
    parallel_calls: int = Field(default=8, ge=1)
    """Calls at once of tools that only read."""
    instructions: list[str] = Field(default_factory=lambda: ["AGENTS.md", "MEWCODE.md"])
    """Files of the project that the model gets as instructions, as data under the rules."""
    instructions_bytes: int = Field(default=32_000, ge=0)
    """Bytes of these files together."""


class UiGroup(Group):
    """The interactive terminal."""

    theme: Literal["auto", "light", "dark", "plain"] = "auto"
    """Colours; plain is made for screen readers."""
    keys: Literal["emacs", "vi"] = "emacs"
    """The keys of the input line."""
    notifications: Literal["off", "bell", "desktop"] = "bell"
    """How you are called when a question waits or a long task ended."""
    language: Literal["auto", "en", "zh"] = "auto"
    """The language of messages; the locale's when auto."""
    thinking: Literal["folded", "shown", "hidden"] = "folded"
    """How the model's thinking is shown."""
    editor: str | None = None
    """The editor of Ctrl+G; VISUAL or EDITOR when absent."""
    history: int = Field(default=10_000, ge=0)
    """Input lines that are remembered."""

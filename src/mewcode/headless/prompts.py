"""A prompt of an MCP server as the task of a run: --prompt "mcp:server:name key=value"."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from mewcode.agent import render_clean
from mewcode.agent.ports import Gate
from mewcode.calls import Principal, Question, ToolCall
from mewcode.errors import RefusedError, ServerMissingError, UsageError

PROMPT_TOOL = "get_prompt"


@dataclass(frozen=True)
class PromptName:
    server: str
    name: str
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def parse(cls, value: str) -> "PromptName":
        """Raises UsageError for anything but mcp:SERVER:PROMPT with key=value words behind it."""
        try:
            head, *words = shlex.split(value)
        except ValueError:
            head, words = "", []
        parts = head.removeprefix("/").split(":", 2)
        pairs = [word.partition("=") for word in words]
        if len(parts) != 3 or parts[0] != "mcp" or not all(parts) or not all(key and sep for key, sep, _ in pairs):
            raise UsageError("headless.prompt_form", value=value)
        return cls(parts[1], parts[2], {key: given for key, _, given in pairs})

    def __str__(self) -> str:
        return f"mcp:{self.server}:{self.name}"


async def fetch_prompt(gate: Gate, prompt: PromptName, session: str, principal: Principal) -> str:
    """The prompt's text, fetched through the gate as everything is that a model will read.

    Raises RefusedError when a rule stands against it, ServerMissingError when the server does not give it.
    """
    arguments = {"server": prompt.server, "prompt": prompt.name, "arguments": dict(prompt.arguments)}
    outcome = await gate.call(ToolCall(PROMPT_TOOL, arguments, session, principal))
    if isinstance(outcome, Question):
        raise RefusedError("headless.prompt_failed", value=prompt, why=outcome.action)
    if outcome.is_error:
        raise ServerMissingError("headless.prompt_failed", value=prompt, why=outcome.text)
    return render_clean(outcome.text)

"""What fills the model's window, by kind, about."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic_ai.messages import ModelMessage, TextPart, ThinkingPart, ToolCallPart, ToolReturnPart, UserPromptPart

from mewcode.agent.tokens import estimate_part_tokens, estimate_text_tokens
from mewcode.agent.user_message import is_persons
from mewcode.models.interface import ToolSpec


@dataclass
class ContextShares:
    """Tokens, estimated: a provider tells only the sum. `notes` are the project's, ours, and files that were attached;
    `messages` are the person's."""

    system: int = 0
    tools: int = 0
    notes: int = 0
    messages: int = 0
    answers: int = 0
    calls: int = 0
    results: int = 0

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


def context_shares(system: str, tools: Sequence[ToolSpec], messages: Sequence[ModelMessage]) -> ContextShares:
    shares = ContextShares(system=estimate_text_tokens(system), tools=sum(map(_of_tool, tools)))
    for message in messages:
        for part in message.parts:
            kind = _kind_of(part)
            setattr(shares, kind, getattr(shares, kind) + estimate_part_tokens(part))
    return shares


def _of_tool(tool: ToolSpec) -> int:
    return estimate_text_tokens(tool.name + tool.description + json.dumps(tool.parameters, ensure_ascii=False))


def _kind_of(part: object) -> str:
    match part:
        case UserPromptPart(content=str(text)) if not is_persons(text):
            return "notes"
        case TextPart() | ThinkingPart():
            return "answers"
        case ToolCallPart():
            return "calls"
        case ToolReturnPart():
            return "results"
        case _:
            return "messages"

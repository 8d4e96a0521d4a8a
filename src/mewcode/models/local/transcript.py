"""The conversation as the embedded model reads it: plain chat messages that fit its small window."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mewcode.models.local.prompt import ANSWER, STEPS, Message, result_message, step

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse, UserPromptPart

RESULT_CHARACTERS = 3_000
"""A result is cut to this, head and tail: reading it takes ten seconds on two cores."""
SHORTENED_CHARACTERS = 240
"""What stays of an old result when room is needed."""

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_LINE_NUMBER = re.compile(r"^ *\d+\t", re.MULTILINE)


@dataclass(frozen=True)
class Said:
    """One thing that was said. `tool` names the tool whose result or call it is; `args` those of a call."""

    role: str
    text: str
    tool: str | None = None
    args: dict[str, object] | None = None
    failed: bool = False

    @property
    def is_result(self) -> bool:
        return self.role == "user" and self.tool is not None

    @property
    def is_call(self) -> bool:
        return self.role == "assistant" and self.tool is not None

    @property
    def content(self) -> str:
        return result_message(self.tool, self.text) if self.is_result and self.tool else self.text


def read_transcript(messages: Iterable["ModelMessage"]) -> tuple[Said, ...]:
    """Everything that was said, without the reminders that are meant for larger models."""
    from pydantic_ai.messages import ModelResponse

    said: list[Said] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            said += _of_response(message)
        else:
            said += [one for part in message.parts if (one := _of_part(part)) is not None]
    return tuple(said)


def fitted(said: Sequence[Said], characters: int) -> list[Message]:
    """Chat messages of at most `characters`: old results are shortened first, then the oldest tasks left out.

    The last three things said stay as they are for as long as anything else can give way.
    """
    kept = list(said)
    for index, one in enumerate(kept[:-3]):
        if _size(kept) <= characters:
            break
        if one.is_result:
            kept[index] = replace(one, text=cut(one.text, SHORTENED_CHARACTERS))
    while _size(kept) > characters and len(kept) > 3:
        del kept[0]
    if _size(kept) > characters:
        room = max(characters // len(kept), SHORTENED_CHARACTERS)
        kept = [replace(one, text=cut(one.text, room)) for one in kept]
    return _merged(kept)


def cut(text: str, characters: int) -> str:
    """Head and tail of a longer text."""
    if len(text) <= characters:
        return text
    tail = characters // 3
    return f"{text[: characters - tail]}\n… {len(text) - characters} characters left out …\n{text[-tail:]}"


def _merged(said: Iterable[Said]) -> list[Message]:
    messages: list[Message] = []
    for one in said:
        if messages and messages[-1]["role"] == one.role == "user":
            messages[-1]["content"] += f"\n\n{one.content}"
        else:
            messages.append({"role": one.role, "content": one.content})
    return messages


def _size(said: Iterable[Said]) -> int:
    return sum(len(one.content) for one in said)


def _of_response(response: "ModelResponse") -> list[Said]:
    calls = response.tool_calls
    if not calls:
        return [Said("assistant", step(ANSWER, text=response.text or ""))]
    said: list[Said] = []
    for call in calls:
        arguments = call.args_as_dict()
        known = STEPS.get(call.tool_name, arguments)
        args = {name: value for name, value in arguments.items() if name in known}
        text = json.dumps({"tool": call.tool_name, "args": args}, ensure_ascii=False, default=str)
        said.append(Said("assistant", text, call.tool_name, args))
    return said


def _of_part(part: "ModelRequestPart") -> Said | None:
    from pydantic_ai import messages as m

    match part:
        case m.UserPromptPart():
            text = _REMINDER.sub("", _prompt_text(part)).strip()
            return Said("user", text) if text else None
        case m.ToolReturnPart():
            text = part.model_response_str()
            shown = _LINE_NUMBER.sub("", text) if part.tool_name == "read_file" else text
            failed = part.outcome != "success" or text.startswith("[error]")
            return Said("user", cut(shown, RESULT_CHARACTERS), part.tool_name, failed=failed)
        case _:
            return None


def _prompt_text(part: "UserPromptPart") -> str:
    if isinstance(part.content, str):
        return part.content
    return "\n".join(block if isinstance(block, str) else "[something that cannot be shown]" for block in part.content)

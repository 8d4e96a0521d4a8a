"""The conversation as the embedded model reads it: plain chat messages that fit its small window."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mewcode.models.local.prompt import ANSWER, LISTING, STEPS, Message, result_message, step

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse, UserPromptPart

RESULT_CHARACTERS = 3_000
"""A result is cut to this, head and tail: reading it takes ten seconds on two cores."""
SHORTENED_CHARACTERS = 240
"""What stays of an old result when room is needed."""

LISTING_CHARACTERS = 1_500

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_FENCE = re.compile(r"<([\w-]+) (\S+) from=[^\n]*>\n(.*)\n</\1 \2>", re.DOTALL)
"""Around a result, for models that were told what it means. This one is asked about everything it does instead."""
_LINE_NUMBER = re.compile(r"^ *\d+\t", re.MULTILINE)


@dataclass(frozen=True)
class Said:
    """One thing that was said. `tool` names the tool whose result or call it is; `args` those of a call."""

    role: str
    text: str
    tool: str | None = None
    args: dict[str, object] | None = None
    failed: bool = False
    files: tuple[str, ...] | None = None
    """The file list that is shown with the first task; None where there is none yet."""

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
    return _with_file_list(said)


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


def _with_file_list(said: list[Said]) -> tuple[Said, ...]:
    """Marks tasks as such, and shows the file list that the conversation began with above the first of them.

    As the result of a step of its own, the list tempts the model to answer from it.
    """
    files: tuple[str, ...] | None = None
    rest = said
    for index, one in enumerate(said[:-1]):
        if (
            one.is_call
            and one.tool == LISTING["tool"]
            and (one.args or {}).get("pattern") == LISTING["args"]["pattern"]
            and said[index + 1].is_result
        ):
            files = tuple(name.strip() for name in said[index + 1].text.splitlines() if name.strip())
            rest = [*said[:index], *said[index + 2 :]]
            break
    tasks = [index for index, one in enumerate(rest) if one.role == "user" and not one.is_result]
    for index in tasks:
        shown = files if index == tasks[0] else None
        above = f"Files: {cut(', '.join(shown), LISTING_CHARACTERS)}\n\n" if shown else ""
        rest[index] = replace(rest[index], text=f"{above}Task: {rest[index].text}", files=shown)
    return tuple(rest)


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
            text = _FENCE.sub(r"\3", part.model_response_str())
            shown = _LINE_NUMBER.sub("", text) if part.tool_name == "read_file" else text
            failed = part.outcome != "success" or text.startswith("[error]")
            return Said("user", cut(shown, RESULT_CHARACTERS), part.tool_name, failed=failed)
        case _:
            return None


def _prompt_text(part: "UserPromptPart") -> str:
    if isinstance(part.content, str):
        return part.content
    return "\n".join(block if isinstance(block, str) else "[something that cannot be shown]" for block in part.content)

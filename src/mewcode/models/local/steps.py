"""The step that the model may write next, as a JSON Schema, and the step that it wrote."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

import pydantic_core

from mewcode.models.local.prompt import ANSWER, STEPS


@dataclass(frozen=True)
class Step:
    """A step. `args` is None when the model was cut off before they were whole; `raw` is what it wrote."""

    tool: str
    args: dict[str, str] | None
    raw: str

    @property
    def text(self) -> str:
        return (self.args or {}).get("text", "")


def schema_for(tools: Collection[str]) -> dict[str, Any]:
    """Allows a step with one of `tools`, or the answer."""
    return {"anyOf": [_one(name) for name in STEPS if name in tools or name == ANSWER]}


def read_step(raw: str) -> Step:
    """The step in `raw`. What is no step at all is taken as the answer's text."""
    try:
        value: object = pydantic_core.from_json(raw)
    except ValueError:
        return _unfinished(raw)
    step = _as_step(value, raw)
    return step or Step(ANSWER, {"text": raw.strip()}, raw)


def answer_so_far(raw: str) -> str:
    """The text of an answer that is still being written; "" while it is none, or not yet."""
    try:
        value: object = pydantic_core.from_json(raw, allow_partial="trailing-strings")
    except ValueError:
        return ""
    step = _as_step(value, raw)
    return step.text if step is not None and step.tool == ANSWER else ""


def _unfinished(raw: str) -> Step:
    text = answer_so_far(raw)
    if text:
        return Step(ANSWER, {"text": text}, raw)
    try:
        value: object = pydantic_core.from_json(raw, allow_partial=True)
    except ValueError:
        value = None
    started = _as_step(value, raw)
    return Step(started.tool, None, raw) if started and started.tool != ANSWER else Step(ANSWER, {"text": ""}, raw)


def _as_step(value: object, raw: str) -> Step | None:
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, object]", value)
    tool, args = fields.get("tool"), fields.get("args")
    if not isinstance(tool, str) or tool not in STEPS:
        return None
    given = cast("dict[str, object]", args) if isinstance(args, dict) else {}
    return Step(tool, {name: text for name, text in given.items() if isinstance(text, str)}, raw)


def _one(name: str) -> dict[str, Any]:
    arguments = STEPS[name]
    return {
        "type": "object",
        "properties": {
            "tool": {"const": name},
            "args": {
                "type": "object",
                "properties": arguments,
                "required": list(arguments),
                "additionalProperties": False,
            },
        },
        "required": ["tool", "args"],
        "additionalProperties": False,
    }

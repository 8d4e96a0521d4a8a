"""What a run prints: the answer, one JSON document, or a line of JSON for each event."""

import json
import sys
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from mewcode.agent import (
    Event,
    Notice,
    QuestionAsked,
    TextFinished,
    ToolCallFinished,
    ToolCallStarted,
    render_clean,
)
from mewcode.calls import CallError
from mewcode.headless.result import RunResult


@dataclass(frozen=True)
class RunStart:
    """What a run begins with: `servers` as rows of name, state, error and number of tools."""

    session: str
    model: str
    mode: str
    workspace: str
    tools: tuple[str, ...]
    servers: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "session": self.session,
            "model": self.model,
            "mode": self.mode,
            "workspace": self.workspace,
            "tools": list(self.tools),
            "servers": list(self.servers),
        }


class Output(Protocol):
    def start(self, start: RunStart) -> None: ...

    def event(self, event: Event) -> None: ...

    def result(self, result: RunResult) -> None: ...


class TextOutput:
    """Only the final answer goes to standard output."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self, start: RunStart) -> None:
        return

    def event(self, event: Event) -> None:
        return

    def result(self, result: RunResult) -> None:
        text = json.dumps(result.structured, ensure_ascii=False) if result.structured is not None else result.text
        if text.strip():
            self._out.write(render_clean(text).strip("\n") + "\n")
            self._out.flush()


class JsonOutput:
    """One document at the end: the result, with the model, the tools and the servers of the run."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._start: RunStart | None = None

    def start(self, start: RunStart) -> None:
        self._start = start

    def event(self, event: Event) -> None:
        return

    def result(self, result: RunResult) -> None:
        begun = self._start.to_json() if self._start else {}
        write_json(
            self._out, {**begun, **{k: v for k, v in result.to_json().items() if v is not None or k not in begun}}
        )


class StreamOutput:
    """A line of JSON for each event, written as it happens."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self, start: RunStart) -> None:
        write_json(self._out, {"type": "init", **start.to_json()})

    def event(self, event: Event) -> None:
        line = event_to_json(event)
        if line is not None:
            write_json(self._out, line)

    def result(self, result: RunResult) -> None:
        write_json(self._out, {"type": "result", **result.to_json()})


def event_to_json(event: Event) -> dict[str, Any] | None:
    """None for what the stream does not show."""
    match event:
        case TextFinished(text):
            return {"type": "text", "text": text}
        case ToolCallStarted(call_id, tool, server, arguments):
            return {"type": "tool_call", "id": call_id, "tool": tool, "server": server, "arguments": arguments}
        case ToolCallFinished():
            return _result_line(event)
        case QuestionAsked(question):
            return {
                "type": "question",
                "id": question.id,
                "call": question.call_id,
                "tool": question.tool,
                "server": question.server,
                "kind": question.kind.value,
                "action": question.action,
                "reasons": list(question.reasons),
                "rule": question.decision.rule,
                "suggestion": question.suggestion.rule if question.suggestion else None,
                "answer": "refused",
            }
        case Notice(text, level):
            return {"type": "notice", "level": level.value, "text": text}
        case _:
            return None


def _result_line(event: ToolCallFinished) -> dict[str, Any]:
    result = event.result
    return {
        "type": "tool_result",
        "id": event.call_id,
        "tool": event.tool,
        "ok": not result.is_error,
        "text": event.shown,
        "error": _error(result.error),
        "truncated": result.truncated,
        "output_path": result.output_path,
        "duration_ms": round(event.seconds * 1000),
    }


def _error(error: CallError | None) -> dict[str, Any] | None:
    if error is None:
        return None
    return {"kind": error.kind.value, "message": error.message, "server": error.server}


def write_json(out: TextIO, value: dict[str, Any]) -> None:
    """One line. A lone surrogate, which UTF-8 cannot carry, is escaped as JSON has it."""
    line = json.dumps(value, ensure_ascii=False, default=str)
    try:
        line.encode()
    except UnicodeEncodeError:
        line = json.dumps(value, default=str)
    out.write(line + "\n")
    out.flush()


def open_output(kind: str, out: TextIO | None = None) -> Output:
    """`kind` is text, json or stream-json."""
    stream = out or sys.stdout
    return {"text": TextOutput, "json": JsonOutput, "stream-json": StreamOutput}[kind](stream)

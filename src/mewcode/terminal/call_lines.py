"""A tool call as one line, while it runs and when it is over."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from prompt_toolkit.utils import get_cwidth

from mewcode.agent.render import clean
from mewcode.calls import ErrorKind, ToolResult
from mewcode.messages import message
from mewcode.terminal.ink import Ink
from mewcode.terminal.width import cut, hang

_MAIN = ("command", "path", "pattern", "query", "uri", "url", "job", "name", "title")
"""Arguments that say most, best first."""


SHOWN_OUTPUT = 4
_WENT_WELL = re.compile(r"\[Exit code 0, [^\]]*\]\s*\Z")
WHY_LINES = 3
_ONLY_FOR_THE_MODEL = " Do not look for another way to do the same."


def title_of(tool: str, server: str | None, arguments: Mapping[str, Any]) -> str:
    """`run_command pytest -q`, `github: create_issue acme/x`."""
    name = tool
    if server is not None:
        short = tool.removeprefix(f"mcp_{server}_")
        name = f"{server}: {short}"
    main = _main_of(arguments)
    return one_line(f"{name} {main}" if main else name)


def one_line(text: str) -> str:
    """`text` without line ends and control characters: a tool's arguments may hold anything."""
    return " ".join(clean(text).split())


def finished_line(title: str, result: ToolResult, seconds: float, width: int, ink: Ink) -> str:
    """The line that stays in the scrollback: how it went, what, how long, and for a failure why."""
    line = _head(title, result, seconds, width, ink)
    if not result.is_error:
        return line
    why = one_line(result.error.message if result.error else result.text).removesuffix(_ONLY_FOR_THE_MODEL)
    lines = hang(why, "  ", width).split("\n")
    if len(lines) > WHY_LINES:
        lines = [*lines[: WHY_LINES - 1], cut(f"{lines[WHY_LINES - 1]}…", width - 1)]
    return f"{line}\n{ink.paint(chr(10).join(lines), 'warn' if _refused(result) else 'bad')}"


def declined_line(title: str, width: int, ink: Ink) -> str:
    """For a call that the person has just turned down: they know why."""
    note = f" · {message('terminal.declined')}"
    return f"{ink.paint('✗', 'warn')} {cut(title, max(10, width - 3 - get_cwidth(note)))}{ink.paint(note, 'dim')}"


def todo_title(items: Sequence[Mapping[str, Any]]) -> str:
    """`todo 1/3 Use an f-string`: how far it is, and what goes on."""
    done = sum(item.get("status") == "done" for item in items)
    current = next((str(item.get("content", "")) for item in items if item.get("status") == "in_progress"), "")
    return one_line(f"todo {done}/{len(items)} {current}")


def finished_command(title: str, result: ToolResult, seconds: float, width: int, ink: Ink) -> str:
    """The same for a command line, with the end of its output: it says more than any summary."""
    if _refused(result):
        return finished_line(title, result, seconds, width, ink)
    return _head(title, result, seconds, width, ink) + output_lines(result, width, ink)


def _head(title: str, result: ToolResult, seconds: float, width: int, ink: Ink) -> str:
    timing = f" {seconds:.1f} s" if seconds >= 0.1 else ""
    mark = ink.paint("✗", "bad") if result.is_error else ink.paint("✓", "ok")
    note = "" if result.is_error else _size(result)
    room = max(10, width - 3 - get_cwidth(timing + note))
    return f"{mark} {cut(title, room)}{ink.paint(note + timing, 'dim')}"


def _refused(result: ToolResult) -> bool:
    return result.error is not None and result.error.kind is ErrorKind.REFUSED


def output_lines(result: ToolResult, width: int, ink: Ink) -> str:
    """The last lines of a command's output, where it is there that a person looks; Ctrl+O shows all."""
    text = without_exit_line(clean(result.text).expandtabs(4))
    lines = [line for line in text.split("\n") if line.strip()]
    return "".join("\n" + ink.paint(cut(f"  │ {line}", width - 1), "dim") for line in lines[-SHOWN_OUTPUT:])


def without_exit_line(text: str) -> str:
    """A command's output without the line that says that it went well: that is seen from its mark."""
    return _WENT_WELL.sub("", text).rstrip("\n")


def _size(result: ToolResult) -> str:
    lines = result.text.count("\n") + 1 if result.text else 0
    return f" · {message('terminal.lines', count=lines)}" if lines > 1 and not result.files else ""


def _main_of(arguments: Mapping[str, Any]) -> str:
    for name in _MAIN:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return value
    texts = [f"{name}={value}" for name, value in arguments.items() if isinstance(value, str | int | float)]
    return " ".join(texts)

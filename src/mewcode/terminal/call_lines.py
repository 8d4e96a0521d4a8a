"""A tool call as one line, while it runs and when it is over."""

from collections.abc import Mapping
from typing import Any

from mewcode.agent.render import clean
from mewcode.calls import ErrorKind, ToolResult
from mewcode.messages import message
from mewcode.terminal.ink import Ink
from mewcode.terminal.width import cut

_MAIN = ("command", "path", "pattern", "query", "uri", "url", "job", "name")
"""Arguments that say most, best first."""


SHOWN_OUTPUT = 4


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
    timing = f" {seconds:.1f} s" if seconds >= 0.1 else ""
    failed = result.is_error
    mark = ink.paint("✗", "bad") if failed else ink.paint("✓", "ok")
    note = "" if failed else _size(result)
    room = max(10, width - 3 - len(timing) - len(note))
    line = f"{mark} {cut(title, room)}{ink.paint(note + timing, 'dim')}"
    if not failed:
        return line
    why = one_line(result.error.message if result.error else result.text)
    refused = result.error is not None and result.error.kind is ErrorKind.REFUSED
    return f"{line}\n{ink.paint(cut(f'  {why}', width - 1), 'warn' if refused else 'bad')}"


def output_lines(result: ToolResult, width: int, ink: Ink) -> str:
    """The last lines of a command's output, where it is there that a person looks; Ctrl+O shows all."""
    lines = [line for line in clean(result.text).expandtabs(4).split("\n") if line.strip()]
    return "".join("\n" + ink.paint(cut(f"  │ {line}", width - 1), "dim") for line in lines[-SHOWN_OUTPUT:])


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

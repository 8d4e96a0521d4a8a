"""What would happen, for the person who is asked."""

import json
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import anyio.to_thread

from mewcode.calls import Access
from mewcode.governance.labels import made_visible
from mewcode.governance.request import Request

LONGEST_LINE = 200
_LONGEST_FILE = 1 << 20
"""Bytes of a file that is read to show what would change."""
_MOST_LINES = 2_000


def action_of(request: Request) -> str:
    """One line."""
    main = " ".join(request.main_values)
    line = made_visible(" ".join(f"{request.name.readable} {main}".split()))
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


async def details_of(request: Request) -> str:
    """The whole of it: each command and what it writes, the change to a file, else the arguments. Nothing in it is
    invisible or turns the reading direction."""
    if request.commands:
        return made_visible("\n".join(_of_commands(request)))
    change = await anyio.to_thread.run_sync(_change, request) if request.is_builtin and request.paths else None
    if change is not None:
        return made_visible(change)
    return made_visible(json.dumps(dict(request.arguments), ensure_ascii=False, indent=2, default=str))


def _of_commands(request: Request) -> Iterator[str]:
    yield from (str(value) for value in request.main_values)
    for lines in request.commands:
        yield from (f"runs: {command.text or 'a command that is only known as it runs'}" for command in lines.commands)
        yield from (f"reaches: {host}" for host in lines.hosts)
        yield from (f"not certain: {reason}" for reason in lines.uncertain)
    yield from (f"writes: {target.resolved if target.literal else target.written}" for target in request.command_writes)


def _change(request: Request) -> str | None:
    """A unified diff of what a file tool would write; None for other tools."""
    target = next((target for target in request.paths if target.access is Access.WRITE), None)
    if target is None:
        return None
    before, after, note = _before_and_after(request, Path(target.resolved))
    if after is None:
        return None
    lines = unified_diff(before.splitlines(), after.splitlines(), target.written, target.written, lineterm="")
    shown = [line for line, _ in zip(lines, range(_MOST_LINES), strict=False)]
    return "\n".join([f"{target.resolved}:{note}", *shown])


def _before_and_after(request: Request, path: Path) -> tuple[str, str | None, str]:
    """The file before and after, as far as it changes, and what the person should know besides."""
    arguments = request.arguments
    if isinstance(arguments.get("content"), str):
        return _present(path), arguments["content"], ""
    old, new = arguments.get("old"), arguments.get("new")
    if not (isinstance(old, str) and isinstance(new, str)):
        return "", None, ""
    present, times = _present(path), -1 if arguments.get("all") else 1
    if old and old in present:
        return present, present.replace(old, new, times), ""
    return old, new, " (the text to be replaced does not stand in it as it is written here)"


def _present(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > _LONGEST_FILE:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

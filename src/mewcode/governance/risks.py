"""Which calls are confirmed a second time, whatever allowed them."""

import re
from collections.abc import Iterator

from mewcode.calls import Access
from mewcode.governance.protected import why_protected
from mewcode.governance.request import Request

_CLASSES = {
    "@delete": "it deletes",
    "@overwrite": "it may overwrite files that nobody has read",
    "@push": "it pushes to a remote",
    "@publish": "it publishes, pushes or deploys",
    "@deploy": "it deploys",
    "@upload": "it sends data out",
    "@git_history": "it rewrites history or drops uncommitted work",
    "@disk": "it works on disks",
    "@unrecoverable": "it cannot be undone",
}
_DEEDS = {
    "it deletes": "delete remove destroy drop purge truncate wipe",
    "it pushes": "push",
    "it deploys": "deploy",
    "it publishes": "publish release",
    "it merges": "merge",
    "it sends data out": "upload",
}
_WORDS = {word: why for why, words in _DEEDS.items() for word in words.split()}
_READING = frozenset({"get", "list", "search", "read", "find", "fetch", "describe", "show", "count", "query"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def risks_of(request: Request) -> tuple[str, ...]:
    """Why the call is high-risk, each reason once; empty where it is not."""
    return tuple(dict.fromkeys([*_of_commands(request), *_of_paths(request), *_of_tool(request)]))


def _of_commands(request: Request) -> Iterator[str]:
    for analysis in request.commands:
        classes = analysis.classes or frozenset(name for command in analysis.commands for name in command.classes)
        yield from (why for name, why in _CLASSES.items() if name in classes)


def _of_paths(request: Request) -> Iterator[str]:
    for target in request.all_paths:
        if target.access is not Access.WRITE:
            continue
        for reading in target.readings:
            if why := why_protected(reading):
                yield f"{target.written} is protected: {why}"


def _of_tool(request: Request) -> Iterator[str]:
    """An MCP tool that says it destroys, or whose name says what it does."""
    if request.is_builtin:
        return
    effects = request.effects
    if effects.reads and not (effects.writes or effects.executes or effects.destructive):
        return
    words = [word.lower() for word in _WORD.findall(request.name.original)]
    named = [] if words and words[0] in _READING else [why for word, why in _WORDS.items() if word in words]
    yield from named
    if effects.destructive and not named:
        yield "its server says that it destroys"

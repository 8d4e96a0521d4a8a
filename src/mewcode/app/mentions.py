"""`@path` and `@server:uri` in a person's message: read through the gate, and given to the model with the message."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.app.asked import through
from mewcode.calls import Json, ToolCall
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.app.house import App

MOST = 20
"""Mentions in one message that are followed."""
_MENTION = re.compile(r"(?<![\w@/])@(?:\"([^\"\n]+)\"|([^\s\"]+))")


@dataclass(frozen=True)
class Mention:
    """What the message names (`shown`, without the @), and the call that reads it."""

    shown: str
    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True)
class Expanded:
    """`contents` are texts for the model, fenced where they come from outside; `problems` are for the person."""

    contents: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


async def expand_mentions(app: "App", session: str, text: str) -> Expanded:
    """Reads what `text` mentions, each by a call of its own; what may not or cannot be read is a problem."""
    contents: list[str] = []
    problems: list[str] = []
    if "@" not in text:
        return Expanded()
    found = list(mentioned(text, app.workspace, app.servers.servers))
    for mention in found[:MOST]:
        call = ToolCall(mention.tool, mention.arguments, session, app.principal)
        result = await through(app.gate, call, app.options.ask)
        if result.is_error:
            why = result.error.message if result.error else result.text
            problems.append(message("mentions.failed", name=mention.shown, why=why))
        else:
            head = f"Content of @{mention.shown}, which the message above mentions:"
            contents.append(f"{head}\n{app.for_model(session, result)}")
    if len(found) > MOST:
        problems.append(message("mentions.too_many", most=MOST, count=len(found)))
    return Expanded(tuple(contents), tuple(problems))


def mentioned(text: str, workspace: Path, servers: "Mapping[str, object]") -> Iterator[Mention]:
    """Files and folders that exist, and resources of configured servers; each once."""
    from mewcode.mcp.resources import mentions

    for path in dict.fromkeys(_paths(text, workspace)):
        if (workspace / path).is_dir():
            yield Mention(path, "find_files", {"pattern": "*", "path": path})
        else:
            yield Mention(path, "read_file", {"path": path})
    for server, uri in dict.fromkeys(mentions(text, servers.keys())):
        yield Mention(f"{server}:{uri}", "read_resource", {"server": server, "uri": uri})


def _paths(text: str, workspace: Path) -> Iterator[str]:
    for quoted, bare in _MENTION.findall(text):
        for candidate in (quoted,) if quoted else (bare, bare.rstrip(".,;:!?)]}'，。；：！？）】")):
            if candidate and _exists(workspace / candidate):
                yield candidate
                break


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False

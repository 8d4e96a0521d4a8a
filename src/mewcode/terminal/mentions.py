"""`@file` and `@server:resource` in a message: read through the gate, and put below it for the model."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.calls import ToolCall
from mewcode.terminal.call_lines import finished_line

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

_MENTION = re.compile(r"(?<![\w@/])@(?:\"([^\"\n]+)\"|([^\s\"]+))")
MOST = 20
"""Mentions in one message that are followed."""


def files_mentioned(text: str, workspace: Path) -> Iterator[str]:
    """Paths that exist, as they were written; punctuation at the end is the sentence's."""
    for quoted, bare in _MENTION.findall(text):
        for candidate in (quoted,) if quoted else (bare, bare.rstrip(".,;:!?)]}'，。；：！？）】")):
            if candidate and (workspace / candidate).exists():
                yield candidate
                break


async def fetch_mentions(session: "Session", text: str) -> list[str]:
    """What the model should read with the message, fenced. What cannot be read says why on the screen."""
    app, agent = session.household.app, session.agent
    if app is None or agent is None or "@" not in text:
        return []
    from mewcode.mcp.resources import mentions

    wanted = [("read_file", {"path": path}, path) for path in dict.fromkeys(files_mentioned(text, app.workspace))]
    for server, uri in dict.fromkeys(mentions(text, app.servers.servers)):
        wanted.append(("read_resource", {"server": server, "uri": uri}, f"{server}:{uri}"))
    found: list[str] = []
    for tool, arguments, shown in wanted[:MOST]:
        if tool == "read_file" and (app.workspace / shown).is_dir():
            tool, arguments = "find_files", {"pattern": "*", "path": shown}
        call = ToolCall(tool, arguments, agent.session.id, app.principal)
        result = await session.asker.through(app.gate, call)
        screen = session.screen
        screen.print(finished_line(f"@{shown}", result, 0.0, screen.width, screen.ink))
        if not result.is_error:
            found.append(f"{message_for_model(shown)}\n{app.for_model(agent.session.id, result)}")
    return found


def message_for_model(shown: str) -> str:
    return f"Content of @{shown}, which the message above mentions:"

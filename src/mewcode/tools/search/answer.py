"""What ToolSearch answers the model: full schemas of what it found, and which servers are not there yet."""

import json
from collections.abc import Iterable

from mewcode.tools.base import Tool
from mewcode.tools.sources import ServerSource, ServerState

DESCRIPTION_LIMIT = 2_000
"""Characters of a tool's description in an answer."""

NOTHING_FOUND = (
    'No tool found. Try other words: one need a search, what it does and to what ("create issue", "query database").'
)


def definition_of(tool: Tool) -> str:
    """One tool as the model needs it to call it: name, description and parameters, as one line of JSON."""
    description = tool.description
    if len(description) > DESCRIPTION_LIMIT:
        description = description[:DESCRIPTION_LIMIT] + " [description cut]"
    row = {"name": tool.name, "description": description, "parameters": tool.model_parameters}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def answer(found: Iterable[Tool], missing: Iterable[str], sources: Iterable[ServerSource]) -> str:
    """The text of a result. `missing` are names that were asked for and are not there."""
    tools = list(found)
    lines = [definition_of(tool) for tool in tools]
    head = _found(len(tools)) if tools else NOTHING_FOUND
    notes = [f"Not available: {name}" for name in missing]
    return "\n".join([head, *lines, *notes, *server_notes(sources)])


def _found(count: int) -> str:
    return f"{count} {'tool' if count == 1 else 'tools'} found, loaded and ready to call by name:"


def server_notes(sources: Iterable[ServerSource]) -> list[str]:
    """A line for each server whose tools may be missing from an answer, and why."""
    return [note for source in sources if (note := _note(source)) is not None]


def _note(source: ServerSource) -> str | None:
    why = f": {_one_line(source.error)}" if source.error else ""
    if source.state is ServerState.CONNECTING:
        return f"Server {source.name} is still connecting; its tools may appear later. Search again if you need them."
    if source.state is ServerState.RETRYING:
        return f"Server {source.name} lost its connection and is retrying{why}."
    if source.state in (ServerState.FAILED, ServerState.NEEDS_AUTH, ServerState.NEEDS_TRUST):
        return f"Server {source.name} is not available ({source.state.value}){why}."
    return None


def _one_line(text: str, limit: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit] + "…"

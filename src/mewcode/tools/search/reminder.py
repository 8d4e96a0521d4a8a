"""The note that tells a model which tools can be loaded: names while that is cheap, then servers, then one line."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from mewcode.tools.base import Tool
from mewcode.tools.search.answer import server_notes
from mewcode.tools.search.tokens import estimate_tokens
from mewcode.tools.sources import ServerSource

DEFAULT_BUDGET = 2_000
"""Tokens that all notes of a session may cost."""

Groups: TypeAlias = Mapping[str, list[str]]
Form: TypeAlias = Callable[[Groups, Mapping[str, ServerSource]], str]


def reminder(tools: Iterable[Tool], sources: Mapping[str, ServerSource], budget: int = DEFAULT_BUDGET) -> str:
    """The fullest note on the deferred ones of `tools` that costs at most `budget` tokens; empty when nothing fits."""
    groups = grouped(tools)
    if not groups and not server_notes(sources.values()):
        return ""
    for form in (_names, _counts, _one_line):
        text = form(groups, sources)
        if estimate_tokens(text) <= budget:
            return text
    return ""


def grouped(tools: Iterable[Tool]) -> dict[str, list[str]]:
    """Names of the deferred tools by server, in the order in which they came."""
    groups: dict[str, list[str]] = {}
    for tool in tools:
        if tool.deferred:
            groups.setdefault(tool.server or "", []).append(tool.name)
    return groups


def names_line(server: str, names: list[str], prefix: str) -> str:
    """One server's tools; what every name begins with is said once."""
    if prefix and len(names) > 1 and all(name.startswith(prefix) for name in names):
        return f"{prefix}*: " + " ".join(name[len(prefix) :] for name in names)
    return " ".join(names)


def _names(groups: Groups, sources: Mapping[str, ServerSource]) -> str:
    head = (
        "These tools can be loaded with tool_search (select:name,name for known names, or words). "
        "A line that begins with prefix*: gives the rest of each name."
    )
    lines = [names_line(server, names, _prefix(server, sources)) for server, names in groups.items()]
    return "\n".join([*([head] if groups else []), *lines, *server_notes(sources.values())])


def _counts(groups: Groups, sources: Mapping[str, ServerSource]) -> str:
    counts = ", ".join(f"{server or 'built-in'} {len(names)}" for server, names in groups.items())
    head = f"Find and load tools with tool_search, by words. Servers and how many tools each has: {counts}."
    return "\n".join([head, *server_notes(sources.values())])


def _one_line(groups: Groups, sources: Mapping[str, ServerSource]) -> str:
    total = sum(map(len, groups.values()))
    return f"{total} tools of {len(groups)} servers can be found and loaded with tool_search, by words."


def _prefix(server: str, sources: Mapping[str, ServerSource]) -> str:
    source = sources.get(server)
    return source.prefix if source else ""

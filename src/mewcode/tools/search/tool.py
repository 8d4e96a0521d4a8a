"""ToolSearch: the one tool through which a model finds and loads all the others."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mewcode.calls import Effects, ErrorKind, Json, Principal, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.registry import ToolRegistry
from mewcode.tools.search.answer import answer
from mewcode.tools.search.discovered import DiscoveredTools

if TYPE_CHECKING:
    from mewcode.tools.search.following import RegistryIndex
    from mewcode.tools.search.index import Meaning

DEFAULT_LIMIT = 5
MOST = 20
PER_SERVER = 3
"""Tools of one server in an answer of five: no server floods it."""

_SELECT = "select:"


@dataclass(frozen=True)
class SearchLimits:
    """How many tools a search finds unless it says otherwise, and how many of those may be of one server."""

    found: int = DEFAULT_LIMIT
    per_server: int = PER_SERVER

    def of_one_server(self, limit: int) -> int:
        """How many of `limit` may be of one server while others fit too: the same share, whatever is asked for."""
        return max(self.per_server, limit * self.per_server // self.found)


DEFAULT_LIMITS = SearchLimits()


class ToolSearch(Tool):
    """Finds only what the caller may call, and marks it discovered for the caller's session."""

    name = "tool_search"
    description = (
        "Finds tools of the connected servers and loads them, so that you can call them by name. "
        'Search by what you need, one need a search: "create github issue", "query a database", in any language. '
        'With known names: "select:name,name". Answers with the full definitions of the best matches.'
    )
    effects = Effects(reads=True)
    main_argument = "query"

    def __init__(
        self,
        registry: ToolRegistry,
        discovered: DiscoveredTools | None = None,
        open_meaning: "Callable[[], Meaning | None]" = lambda: None,
        limits: SearchLimits = DEFAULT_LIMITS,
    ) -> None:
        """`open_meaning` is asked at the first search for what ranks by meaning besides."""
        self.parameters = _parameters(limits.found)
        self.discovered = discovered if discovered is not None else DiscoveredTools()
        self._registry = registry
        self._open_meaning = open_meaning
        self.limits = limits

    @cached_property
    def _following(self) -> "RegistryIndex":
        from mewcode.tools.search.following import RegistryIndex

        return RegistryIndex(self._registry, self._open_meaning())

    async def execute(self, call: ToolCall) -> ToolResult:
        query = str(call.arguments["query"]).strip()
        if query.lower().startswith(_SELECT):
            names = [name.strip() for name in query[len(_SELECT) :].split(",") if name.strip()]
            return self._select(call, names)
        limit = int(call.arguments.get("limit") or self.limits.found)
        return self._answer(call, self.find(call.principal, query, limit), [])

    def find(self, principal: Principal, query: str, limit: int) -> list[Tool]:
        """The deferred tools that fit best, of those that this principal may call."""
        visible = self._registry.view(principal).deferred
        index = self._following.index
        most = self.limits.of_one_server(limit)
        found = index.search(query, limit, keep=lambda entry: entry.key in visible, per_server=most)
        return [visible[one.entry.key] for one in found]

    async def end_session(self, session: str) -> None:
        self.discovered.end(session)

    def close(self) -> None:
        """Ends what the index started."""
        if "_following" in self.__dict__:
            self._following.close()

    def _select(self, call: ToolCall, names: list[str]) -> ToolResult:
        visible = self._registry.view(call.principal).by_name
        found = [visible[name] for name in dict.fromkeys(names[:MOST]) if name in visible]
        missing = [name for name in dict.fromkeys(names) if name not in visible]
        if not found and missing:
            text = answer([], missing, self._registry.sources.values())
            return ToolResult.failed(ErrorKind.UNKNOWN_TOOL, text)
        return self._answer(call, found, missing)

    def _answer(self, call: ToolCall, found: list[Tool], missing: Iterable[str]) -> ToolResult:
        for tool in found:
            self.discovered.load(call.session, tool)
        text = answer(found, missing, self._registry.sources.values())
        return ToolResult.of_text(text, structured={"tools": [tool.name for tool in found]})


def _parameters(limit: int) -> Mapping[str, Json]:
    return {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "Words, or select:name,name"},
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "description": f"Default {limit}"},
        },
        "required": ["query"],
        "additionalProperties": False,
    }

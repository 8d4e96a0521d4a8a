"""Which tools a rule names: matched on (server, tool), never by splitting a name."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mewcode.governance.rules.wildcard import Wildcard
from mewcode.tools import Tool

EXACT = "mcp:"
_READABLE = "mcp_"


@dataclass(frozen=True)
class ToolName:
    """What a tool is called: by the model, and by its server (None for a built-in) and original name."""

    model: str
    server: str | None
    original: str

    @classmethod
    def of(cls, tool: Tool) -> "ToolName":
        return cls(tool.listed_name, tool.server, tool.original_name)

    @property
    def readable(self) -> str:
        """The name that rules are written against: `mcp_{server}_{tool}` in original names, or the built-in's."""
        return self.original if self.server is None else f"{_READABLE}{self.server}_{self.original}"

    @property
    def exact(self) -> str:
        return self.original if self.server is None else f"{EXACT}{self.server}/{self.original}"

    @property
    def readings(self) -> tuple[str, ...]:
        return (self.readable,) if self.readable == self.model else (self.readable, self.model)


@dataclass(frozen=True)
class NamePattern:
    """The part of a rule before its parentheses."""

    text: str

    @property
    def exact(self) -> bool:
        """Whether it has the form `mcp:server/tool`."""
        return self.text.startswith(EXACT)

    @cached_property
    def wildcard(self) -> Wildcard:
        return Wildcard(self.text)

    def tightens(self, name: ToolName) -> bool:
        """Whether a deny or ask rule means this tool: in any reading, whatever the case."""
        if self.exact:
            return name.server is not None and Wildcard(self.text).matches_loosely(name.exact)
        return any(self.wildcard.matches_loosely(reading) for reading in name.readings)

    def allows(self, name: ToolName, servers: Iterable[str]) -> bool:
        """Whether an allow rule means this tool. `servers` are the configured ones: a pattern that spells one of them
        out counts for that server only, however the tools of another may be called."""
        if self.exact:
            return self._exactly(name)
        spelled = self.spells_out(servers)
        if spelled is not None and name.server != spelled:
            return False
        return any(self.wildcard.matches(reading) for reading in name.readings)

    def spells_out(self, servers: Iterable[str]) -> str | None:
        """The configured server that the literal beginning of the pattern names; of several, the longest."""
        return max(self.candidates(servers), key=len, default=None)

    def candidates(self, servers: Iterable[str]) -> tuple[str, ...]:
        """All configured servers that the pattern could be spelling out; more than one is an ambiguity."""
        prefix = self.wildcard.prefix
        return tuple(server for server in servers if prefix.startswith(f"{_READABLE}{server}_"))

    def _exactly(self, name: ToolName) -> bool:
        server, slash, tool = self.text[len(EXACT) :].partition("/")
        if name.server is None or not slash:
            return False
        return Wildcard(server).matches(name.server) and Wildcard(tool).matches(name.original)

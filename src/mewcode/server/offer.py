"""Which tools a principal is offered, and under which names: what is not offered cannot be called either."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mewcode.calls import Principal
from mewcode.governance import Policy
from mewcode.governance.roles import UNBOUND
from mewcode.tools import Tool, ToolRegistry

NOT_OFFERED = frozenset({"todo", "tool_search", "list_resources", "read_resource", "list_prompts", "get_prompt"})
"""Built-ins for MewCode's own agent: a client has its own list, and MCP has its own ways to resources and prompts."""
MOST_KEPT = 1_000
"""Principals whose offer is remembered."""


@dataclass(frozen=True)
class Naming:
    """How tools are called here. Without a prefix upstream tools have the names of the host (`mcp_<server>_<tool>`);
    with one it goes before every tool's own name, `{server}` in it standing for the server."""

    prefix: str | None = None

    def name(self, tool: Tool) -> str:
        if self.prefix is None:
            return tool.listed_name
        return self.of(tool.server or "mewcode", tool.original_name)

    def of(self, server: str, original: str) -> str:
        """A server's own name behind the prefix."""
        return (self.prefix or "").replace("{server}", server) + original


@dataclass
class Offer:
    """`builtins` are offered to whoever no role bounds; roles name theirs themselves."""

    registry: ToolRegistry
    policy: Policy
    builtins: frozenset[str]
    naming: Naming = field(default_factory=Naming)
    _kept: dict[Principal, tuple[int, Mapping[str, Tool]]] = field(
        default_factory=dict[Principal, tuple[int, Mapping[str, Tool]]]
    )

    def tools(self, principal: Principal) -> Mapping[str, Tool]:
        """By the name that each is offered under: built-ins first, then by name; the same order every time."""
        version, tools = self._kept.get(principal, (-1, MappingProxyType({})))
        if version != self.registry.version:
            tools = self._named(principal)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[principal] = (self.registry.version, tools)
        return tools

    def _named(self, principal: Principal) -> Mapping[str, Tool]:
        visible = [tool for tool in self.registry.view(principal) if self._offered(principal, tool)]
        named: dict[str, Tool] = {}
        for tool in sorted(visible, key=lambda tool: (tool.server is not None, tool.name)):
            name = self.naming.name(tool)
            named[tool.name if name in named else name] = tool
        return MappingProxyType(named)

    def _offered(self, principal: Principal, tool: Tool) -> bool:
        if tool.server is not None:
            return True
        if tool.name in NOT_OFFERED:
            return False
        return UNBOUND not in self.policy.bounds.roles.of(principal) or tool.name in self.builtins

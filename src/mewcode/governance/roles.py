"""Who may do what at all: the bounds of a principal, which no rule and no answer widens."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mewcode.calls import Door, Principal
from mewcode.governance.rules.name import NamePattern, ToolName
from mewcode.tools import Tool

UNBOUND_ROLE = "local-user"
"""The role of whoever sits at the machine itself. Only a door that knows that may give it."""
_LOCAL_DOORS = frozenset({Door.TERMINAL, Door.RUN, Door.TOOLS_CALL, Door.SERVE_STDIO, Door.ACP})
_FOR_EVERYBODY = frozenset({"tool_search", "todo"})
"""Built-ins that touch nothing but the session's own notes: no role has to list them."""


@dataclass(frozen=True)
class RoleLimits:
    """None leaves it to the general limits."""

    per_minute: int | None = None
    concurrent: int | None = None


@dataclass(frozen=True)
class Role:
    """`tools` are name patterns; `read` and `write` are gitignore patterns under the workspace; `commands` bounds
    its command lines: the name of a shipped set, command patterns, `none` for no command at all, None for the general
    set. `everywhere` is False where it works in some of the served folders only."""

    name: str
    tools: tuple[str, ...] = ("*",)
    read: tuple[str, ...] = ("**",)
    write: tuple[str, ...] = ("**",)
    commands: str | tuple[str, ...] | None = None
    limits: RoleLimits = RoleLimits()
    everywhere: bool = True

    def has_tool(self, tool: Tool, servers: Iterable[str]) -> bool:
        name = ToolName.of(tool)
        if name.server is None and name.original in _FOR_EVERYBODY:
            return True
        return any(NamePattern(text).allows(name, servers) for text in self.tools)


@dataclass(frozen=True)
class Person:
    """A principal of the settings; `read` and `write` narrow what its roles give, None leaves it."""

    roles: tuple[str, ...] = ()
    read: tuple[str, ...] | None = None
    write: tuple[str, ...] | None = None


UNBOUND = Role("")


@dataclass(frozen=True)
class Roles:
    """All roles and principals of the settings."""

    roles: Mapping[str, Role] = field(default_factory=dict[str, Role])
    people: Mapping[str, Person] = field(default_factory=dict[str, Person])

    def principal(self, name: str, door: Door = Door.TERMINAL, roles: Iterable[str] = ()) -> Principal:
        """The principal of that name with the roles that the settings give it, and `roles` besides."""
        known = self.people.get(name, Person()).roles
        return Principal(name, tuple(dict.fromkeys((*known, *roles))), door)

    def of(self, principal: Principal) -> tuple[Role, ...]:
        """What bounds the principal: a call must lie wholly within one of these. Without a role, whoever sits at the
        machine is unbound, and whoever comes over the network may do nothing."""
        if UNBOUND_ROLE in principal.roles:
            return (UNBOUND,)
        if not principal.roles:
            return (UNBOUND,) if principal.door in _LOCAL_DOORS else ()
        return tuple(self.roles[name] for name in principal.roles if name in self.roles)

    def person(self, principal: Principal) -> Person:
        return self.people.get(principal.name, Person())

    def limits(self, principal: Principal) -> RoleLimits:
        """The most generous of its roles' limits, as its rights are those of its best role."""
        limits = [role.limits for role in self.of(principal)]
        return RoleLimits(
            _most(limit.per_minute for limit in limits),
            _most(limit.concurrent for limit in limits),
        )


def _most(values: Iterable[int | None]) -> int | None:
    known = list(values)
    return None if None in known else max((value for value in known if value is not None), default=None)

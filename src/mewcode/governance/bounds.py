"""What a principal can never do: outside its roles, in MewCode's own files, outside the workspace."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mewcode.calls import Access
from mewcode.governance.request import Request
from mewcode.governance.roles import Role, Roles
from mewcode.governance.rules.paths import PathPattern, PathTarget, is_inside, relative_to
from mewcode.tools import Tool

EVERYTHING = ("**",)
NO_COMMANDS = "none"


@dataclass(frozen=True)
class Bounds:
    """`own` are MewCode's own folders and files. `hides` is True where commands run in a sandbox that shows them no
    more than the caller's scope."""

    roles: Roles = field(default_factory=Roles)
    own: tuple[Path, ...] = ()
    hides: bool = False

    def may_see(self, tool: Tool, role: Role, narrowed: bool, servers: Iterable[str]) -> bool:
        """Whether a role gives the tool. Where the scope is narrower than the workspace, a tool that runs commands is
        there only if a sandbox hides the rest."""
        if tool.server is None and tool.effects.executes and narrowed and not self.hides:
            return False
        if role.commands == NO_COMMANDS and tool.server is None and tool.effects.executes:
            return False
        return role.has_tool(tool, servers)

    def fitting(self, request: Request, servers: Sequence[str]) -> tuple[Role, ...]:
        """The roles of the caller that give it the tool; none where it has the credentials of another."""
        if request.tool.owner not in (None, request.principal.name):
            return ()
        person = self.roles.person(request.principal)
        return tuple(
            role
            for role in self.roles.of(request.principal)
            if self.may_see(request.tool, role, is_narrow(role, person.read, person.write), servers)
        )

    def crossed(self, request: Request, role: Role) -> str | None:
        """Why the call lies outside what `role` gives, None where it lies within."""
        person = self.roles.person(request.principal)
        for target in request.all_paths:
            if why := self._path_crossed(target, request, role, person.read, person.write):
                return why
        return None

    def _path_crossed(
        self,
        target: PathTarget,
        request: Request,
        role: Role,
        read: tuple[str, ...] | None,
        write: tuple[str, ...] | None,
    ) -> str | None:
        if self.is_own(target, request):
            return f"{target.written} belongs to MewCode itself: no tool touches its rules, audit, trust or tokens"
        if request.is_builtin and target in request.paths and not is_inside(target, request.visible_roots):
            return f"{target.written} lies outside the workspace"
        writes = target.access is Access.WRITE
        if writes and request.is_builtin and target in request.paths and not is_inside(target, request.roots):
            return f"{target.written} may be read, not written"
        for patterns in (role.write, write) if writes else (role.read, read):
            if patterns not in (None, EVERYTHING) and not _within(target, patterns, request):
                verb = "writes" if writes else "reads"
                return f"{request.principal.name} {verb} only {', '.join(patterns)}, and {target.written} is not there"
        return None

    def is_own(self, target: PathTarget, request: Request) -> bool:
        if target.access is not Access.WRITE and is_inside(target, request.readable):
            return False
        return any(
            relative_to(reading, place) is not None
            or (target.beneath and relative_to(os.path.realpath(place), Path(reading)) is not None)
            for place in self.own
            for reading in target.readings
        )


def is_narrow(role: Role, read: tuple[str, ...] | None, write: tuple[str, ...] | None) -> bool:
    """Whether a scope is less than everything that is worked in."""
    scopes = (role.read, role.write, read, write)
    return not role.everywhere or any(patterns not in (None, EVERYTHING) for patterns in scopes)


def _within(target: PathTarget, patterns: tuple[str, ...], request: Request) -> bool:
    """Whether a path lies in a scope. A folder that a built-in tool looks through counts as within: the tool itself
    leaves out what the scope does not hold."""
    if target.access is Access.READ and is_inside(target, request.readable):
        return True
    if request.is_builtin and target in request.paths and target.is_folder and target.access is Access.READ:
        return True
    return within_patterns(target, patterns, request.roots)


def within_patterns(target: PathTarget, patterns: Iterable[str], roots: tuple[Path, ...]) -> bool:
    """Whether the last pattern that speaks about the path takes it in; `!pattern` takes out."""
    inside = False
    for text in patterns:
        excluded = text.startswith("!")
        pattern = PathPattern(text[1:] if excluded else text)
        if excluded and pattern.tightens(target, roots):
            inside = False
        elif not excluded and pattern.allows(target, roots):
            inside = True
    return inside

"""A call as the policy sees it: the tool, and everything it would touch, resolved once."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from mewcode.calls import Access, Effects, Json, Principal, Subject, SubjectKind
from mewcode.governance.file_names import FileNames
from mewcode.governance.modes import Mode
from mewcode.governance.rules.contents import contents_of
from mewcode.governance.rules.name import ToolName
from mewcode.governance.rules.paths import PathTarget, resolve_target
from mewcode.governance.rules.rule import Rule
from mewcode.governance.rules.wild_paths import matching_paths
from mewcode.governance.sensitive import is_sensitive
from mewcode.tools import Tool

if TYPE_CHECKING:
    from mewcode.governance.commands import Analysis
    from mewcode.governance.commands.analysis import FileUse

_MOST_FOLDERS = 50
"""That a wildcard may stand for where each of them is looked through."""
_MOST_SECRETS = 20

Analyse: TypeAlias = Callable[[str, str | None], "Analysis"]


@dataclass(frozen=True)
class Request:
    """What a principal wants to do. `granted` are the rules that the session has approved so far.

    `roots` are where relative paths start and what counts as the workspace; `readable` are further folders that may
    be read (a session's saved outputs). `wary` is True where the model behind the session is one whose every write and
    command is asked about. `looks_beneath` is False where what rules close is not there for a command.
    """

    tool: Tool
    arguments: Mapping[str, Json]
    principal: Principal
    roots: tuple[Path, ...]
    readable: tuple[Path, ...] = ()
    mode: Mode = Mode.DEFAULT
    granted: tuple[Rule, ...] = ()
    wary: bool = False
    looks_beneath: bool = True
    analyse: Analyse | None = field(default=None, compare=False, repr=False)

    @cached_property
    def name(self) -> ToolName:
        return ToolName.of(self.tool)

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        return self.tool.subjects(self.arguments)

    @cached_property
    def effects(self) -> Effects:
        return self.tool.effects_of(self.arguments)

    @property
    def is_builtin(self) -> bool:
        return self.tool.server is None

    @property
    def server(self) -> str | None:
        """The MCP server that the call speaks to, through a tool of its own or through one over all servers."""
        return self.tool.server_of(self.arguments)

    @property
    def visible_roots(self) -> tuple[Path, ...]:
        return (*self.roots, *self.readable)

    @cached_property
    def commands(self) -> "tuple[Analysis, ...]":
        """The analyses of the command lines in the call."""
        lines = [subject.value for subject in self.subjects if subject.kind is SubjectKind.COMMAND]
        if not lines:
            return ()
        analyse = self.analyse or _analyse
        return tuple(analyse(line, self._working_folder) for line in lines)

    @cached_property
    def paths(self) -> tuple[PathTarget, ...]:
        """The paths that the tool itself names."""
        named = [subject for subject in self.subjects if subject.kind is SubjectKind.PATH]
        return tuple(self.target(subject.value, subject.access) for subject in named)

    @cached_property
    def command_reads(self) -> tuple[PathTarget, ...]:
        return tuple(target for targets in self.reads_by_line for target in targets)

    @cached_property
    def reads_by_line(self) -> tuple[tuple[PathTarget, ...], ...]:
        """What each command line in the call reads, its wildcards looked up."""
        return tuple(
            tuple(target for use in lines.reads for target in self._read(use, lines)) for lines in self.commands
        )

    def _read(self, use: "FileUse", lines: "Analysis") -> Iterator[PathTarget]:
        """Where the line does more than read, its wildcards may stand for other files by then."""
        found = self._expanded(use) if use.wild else None
        if found is None or not lines.reads_only:
            yield self._read_one(use, use.path, use.literal)
        yield from (self._read_one(use, path, True) for path in found or ())

    def _expanded(self, use: "FileUse") -> tuple[str, ...] | None:
        base = next(iter(self.roots), None)
        found = matching_paths(use.path, str(base)) if base is not None else None
        return None if found is not None and use.beneath and len(found) > _MOST_FOLDERS else found

    def _read_one(self, use: "FileUse", path: str, literal: bool) -> PathTarget:
        target = self.target(path, Access.READ, literal)
        if not literal and use.drawn:
            target = replace(target, drawn=use.drawn)
        if not use.beneath or not target.is_folder:
            return target
        beneath = use.beneath if self.looks_beneath else ""
        return replace(target, beneath=beneath, own_beneath=use.own_beneath, names=use.names)

    def secrets_of(self, target: PathTarget) -> tuple[str, ...]:
        """The files that usually hold secrets among those that reading the path opens; the first of them."""
        if target.access is Access.WRITE:
            return ()
        known = self._secrets.get(target)
        if known is None:
            drawn = [(self.target(folder, Access.READ).resolved, names) for folder, names in target.drawn]
            known = self._secrets[target] = _secrets_of(target, drawn)
        return known

    @cached_property
    def _secrets(self) -> dict[PathTarget, tuple[str, ...]]:
        return {}

    @cached_property
    def command_writes(self) -> tuple[PathTarget, ...]:
        return tuple(
            self.target(use.path, Access.WRITE, use.literal) for lines in self.commands for use in lines.writes
        )

    @property
    def all_paths(self) -> tuple[PathTarget, ...]:
        return (*self.paths, *self.command_reads, *self.command_writes)

    @cached_property
    def urls(self) -> tuple[str, ...]:
        return tuple(subject.value for subject in self.subjects if subject.kind is SubjectKind.URL)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Machines that the call would talk to, as far as it can be told."""
        return tuple(host for lines in self.commands for host in lines.hosts)

    @cached_property
    def properties(self) -> frozenset[str]:
        """The names of the tool's parameters."""
        declared = self.tool.parameters.get("properties")
        return frozenset(cast("Mapping[str, Json]", declared)) if isinstance(declared, Mapping) else frozenset()

    def target(self, written: str, access: Access, literal: bool = True) -> PathTarget:
        return resolve_target(written, access, self.roots, literal)

    def less_beneath(self) -> "Request":
        """The same call where what rules close beneath folders is hidden from it."""
        known = iter(self.commands)

        def again(_line: str, _cwd: str | None) -> "Analysis":
            return next(known)

        return replace(self, looks_beneath=False, analyse=again)

    def path_of(self, value: str) -> PathTarget:
        """Where a path among the arguments leads; resolved once, however many rules ask."""
        known = next((target for target in self.paths if target.written == value), None)
        return known or self.target(value, Access.READ)

    def kind_of(self, value: str) -> SubjectKind:
        """What a value among the arguments is, as the tool itself says."""
        return next((subject.kind for subject in self.subjects if subject.value == value), SubjectKind.TEXT)

    def value_of(self, key: str) -> tuple[str, ...]:
        """The values behind a key as texts: several for a list, none where the key is not there."""
        found: Json = self.arguments.get(key, _ABSENT)
        if found is _ABSENT and "." in key:
            found = _reach(self.arguments, key.split("."))
        if found is _ABSENT:
            return ()
        items = cast("Sequence[Json]", found) if isinstance(found, (list, tuple)) else [found]
        return tuple(as_text(item) for item in items)

    def values_like(self, key: str) -> tuple[str, ...]:
        """As `value_of`, also where the call writes the key in other letters: some servers do not mind."""
        names = [name for name in self.arguments if name.casefold() == key.split(".")[0].casefold()]
        rest = key[len(key.split(".")[0]) :]
        return tuple(value for name in names for value in self.value_of(f"{name}{rest}")) or self.value_of(key)

    @property
    def main_values(self) -> tuple[str, ...]:
        return self.value_of(self.tool.main_argument) if self.tool.main_argument else ()

    @property
    def _working_folder(self) -> str | None:
        given = self.arguments.get("cwd")
        if isinstance(given, str) and given:
            return self.target(given, Access.READ).resolved
        return str(self.roots[0]) if self.roots else None


_ABSENT: Json = object()


def as_text(value: Json) -> str:
    """A value as rules see it: strings as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _secrets_of(target: PathTarget, drawn: Iterable[tuple[str, FileNames]]) -> tuple[str, ...]:
    if any(is_sensitive(reading) for reading in target.readings):
        return (target.resolved,)
    lying = [target.own_contents, *(contents_of(at, hidden=True, names=names, own=True) for at, names in drawn)]
    found = filter(is_sensitive, (path for contents in lying for path in contents.files))
    return tuple(islice(found, _MOST_SECRETS))


def _reach(value: Json, keys: Sequence[str]) -> Json:
    for at, key in enumerate(keys):
        if isinstance(value, (list, tuple)):
            found = [_reach(item, keys[at:]) for item in cast("Sequence[Json]", value)]
            return [item for item in found if item is not _ABSENT] or _ABSENT
        if not isinstance(value, Mapping):
            return _ABSENT
        value = cast("Mapping[str, Json]", value).get(key, _ABSENT)
        if value is _ABSENT:
            return _ABSENT
    return value


def _analyse(line: str, cwd: str | None) -> "Analysis":
    from mewcode.governance.commands import analyse

    return analyse(line, cwd=cwd)

"""Loads the settings: reads every layer, checks it, lays them over each other, and says where all of it came from."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mewcode.config.expand_tree import Expansion
from mewcode.config.finish import finish, finish_disabled
from mewcode.config.layers import Layer, normalised, read_layer
from mewcode.config.loaded import LoadedSettings
from mewcode.config.mcp_json import convert_servers
from mewcode.config.merge import merge
from mewcode.config.node import Node
from mewcode.config.paths import Paths, mcp_json_file, project_file
from mewcode.config.place import Place, Problem
from mewcode.config.project import filter_project, references_in, value_at
from mewcode.config.proposals import IsTrusted, Untrusted, sort_rules, sort_servers
from mewcode.config.schema.settings import Settings
from mewcode.config.secrets import literal_secrets, plain_variables, worth_hiding
from mewcode.config.tighten import at_least_as_tight, can_tighten
from mewcode.config.validation import check, problem_at, remove
from mewcode.errors import SettingsError
from mewcode.messages import message

CheckRule = Callable[[str], str | None]
"""The text of a rule -> what is wrong with it, None when nothing is."""


def never(kind: str, fingerprint: str) -> bool:
    """Trusts nothing."""
    return False


def load_settings(
    *,
    paths: Paths,
    workspace: Path,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    is_trusted: IsTrusted = never,
    mcp_config: Path | None = None,
    check_rule: CheckRule | None = None,
) -> LoadedSettings:
    """`overrides` come from the command line: {"model": …, "agent.max_turns": 3, "permissions": [{…}]}.
    `mcp_config` is a further file of servers that the user named, YAML or `mcpServers`.

    Raises SettingsError (exit 2) for a broken managed file and for a wrong command line; whatever is wrong in the
    files of user and project stands in `problems`.
    """
    variables = os.environ if environ is None else environ
    workspace = Path(os.path.abspath(workspace))  # noqa: PTH100 - symlinks stay as the user wrote them
    reading = _Reading(paths, workspace, variables, is_trusted, check_rule)
    managed = reading.managed()
    command_line = reading.command_line(overrides or {}, mcp_config)
    user = reading.checked(read_layer(paths.config, "user"))
    base = check(merge([user.tree, command_line.tree, managed.tree])).settings
    mcp_json = reading.mcp_json()
    project = reading.project(base)
    return reading.combined([mcp_json, user, project, command_line, managed])


class _Reading:
    """One reading of all files: what is shared while it goes on."""

    def __init__(
        self, paths: Paths, workspace: Path, environ: Mapping[str, str], is_trusted: IsTrusted, rule: CheckRule | None
    ) -> None:
        self.paths = paths
        self.workspace = workspace
        self.is_trusted = is_trusted
        self.check_rule = rule
        self.expansion = Expansion(environ)
        self.untrusted: list[Untrusted] = []
        self.ignored: list[Problem] = []

    def managed(self) -> Layer:
        layer = Layer("managed", Node({}))
        if self.paths.managed is not None:
            layer = self.checked(read_layer(self.paths.managed, "managed"))
        if layer.broken:
            first = next(problem for problem in layer.problems if problem.severity == "error")
            raise SettingsError("config.managed_broken", file=self.paths.managed, reason=str(first))
        return layer

    def command_line(self, overrides: Mapping[str, Any], mcp_config: Path | None) -> Layer:
        place = Place("command_line")
        trees = [Node.of(_nested(key, value), place) for key, value in overrides.items()]
        layer = self.checked(Layer("command_line", normalised(merge(trees))))
        if mcp_config is not None:
            servers = self.checked(_as_servers(read_layer(mcp_config, "command_line")))
            if servers.file is None:
                raise SettingsError("config.unreadable", file=mcp_config, reason=os.strerror(2))
            layer.problems += servers.problems
            layer.disabled.update(servers.disabled)
            layer.raw = merge([layer.raw, servers.raw])
            layer.tree = merge([layer.tree, servers.tree])
        wrong = next((problem for problem in layer.problems if problem.severity == "error" and not problem.local), None)
        if wrong:
            raise SettingsError("config.command_line", reason=str(wrong))
        return layer

    def mcp_json(self) -> Layer:
        layer = _as_servers(read_layer(mcp_json_file(self.workspace), "mcp_json"))
        layer.tree, waiting = sort_servers(layer.tree, self.workspace, self.is_trusted)
        self.untrusted += waiting
        return self.checked(layer)

    def project(self, base: Settings) -> Layer:
        layer = read_layer(project_file(self.workspace), "project")
        layer.tree, servers = sort_servers(layer.tree, self.workspace, self.is_trusted)
        layer.tree, rules = sort_rules(layer.tree, self.workspace, self.is_trusted)
        self.untrusted += [*servers, *rules]
        references = references_in(layer.tree)
        for keys, leaf in references:
            text = message("config.project_reference", key=problem_at(layer.tree, keys, "").key)
            layer.problems.append(problem_at(layer.tree, keys, text, leaf.place))
        layer.tree = remove(layer.tree, [keys for keys, _ in references])
        layer = self.checked(layer)
        asked = check(layer.tree).settings
        filtered = filter_project(layer.tree, asked, base, self.expansion.environ, self.paths.config)
        layer.tree = filtered.tree
        layer.problems += filtered.ignored
        self.ignored += filtered.ignored
        return layer

    def checked(self, layer: Layer) -> Layer:
        """Expands and validates a layer; what is wrong goes from its tree into its problems."""
        layer.raw = layer.tree
        self.expansion.failures.clear()
        tree = self.expansion.expand(layer.tree)
        failures = [problem_at(tree, one.keys, one.text, one.place) for one in self.expansion.failures]
        for one, problem in zip(self.expansion.failures, failures, strict=True):
            if problem.local:
                layer.disabled.setdefault((str(one.keys[0]), str(one.keys[1])), problem)
        checked = check(remove(tree, [one.keys for one in self.expansion.failures]))
        layer.tree = checked.tree
        layer.disabled.update(checked.disabled)
        layer.problems += [*failures, *checked.problems, *self._wrong_rules(layer.tree)]
        return layer

    def _wrong_rules(self, tree: Node) -> list[Problem]:
        rules = tree.child("permissions")
        problems: list[Problem] = []
        for index, rule in enumerate(rules.items if rules and self.check_rule else ()):
            text = rule.child("rule")
            reason = self.check_rule(str(text.value)) if text and self.check_rule else None
            if text and reason:
                keys = ("permissions", index, "rule")
                line = message("config.rule", key=f"permissions[{index}].rule", reason=reason)
                problems.append(problem_at(tree, keys, line))
        return problems

    def combined(self, layers: list[Layer]) -> LoadedSettings:
        """`layers` from the weakest to the strongest, the managed one last."""
        below = merge([layer.tree for layer in layers[:-1]])
        layers[-1].tree = _let_tighten(layers[-1].tree, below)
        merged = Node({})
        disabled: dict[tuple[str, str], tuple[Node, Problem]] = {}
        for layer in layers:
            disabled = {way: why for way, why in disabled.items() if layer.tree.find(way) is None}
            disabled.update({way: (layer.raw.deepest(way), problem) for way, problem in layer.disabled.items()})
            merged = merge([remove(merged, list(layer.disabled)), layer.tree])
        raw = merge([layer.raw for layer in layers])
        settings = finish(_without_doubt(check(merged).settings, layers), merged, raw, self.workspace)
        finish_disabled(settings, disabled, raw, self.workspace)
        plain = (self.expansion.environ.get(name, "") for name in plain_variables())
        secrets = worth_hiding([*self.expansion.secrets, *literal_secrets(merged)], plain)
        return LoadedSettings(
            settings=settings,
            tree=merged,
            workspace=self.workspace,
            problems=tuple(problem for layer in reversed(layers) for problem in layer.problems),
            ignored=tuple(self.ignored),
            untrusted=tuple(self.untrusted),
            broken=any(layer.broken for layer in layers),
            secrets=secrets,
            files=tuple(layer.file for layer in layers if layer.file),
        )


def _nested(key: str, value: Any) -> Any:
    for name in reversed(key.split(".")):
        value = {name: value}
    return value


def _as_servers(layer: Layer) -> Layer:
    """A file of servers only: `mcpServers` in the words of other programs, or `mcp_servers` in ours."""
    written = layer.tree.child("mcpServers")
    if written is not None and not isinstance(written.value, dict):
        layer.tree = replace(layer.tree, value={"mcp_servers": written})
        return layer
    entries, warnings = convert_servers(layer.tree)
    ours = layer.tree.child("mcp_servers")
    servers = replace(layer.tree, value={**(ours.entries if ours else {}), **entries})
    layer.problems += warnings
    layer.tree = replace(layer.tree, value={"mcp_servers": servers} if servers.entries else {})
    return layer


def _without_doubt(settings: Settings, layers: list[Layer]) -> Settings:
    """When the list of allowed commands, or the user's whole file, cannot be read, no command counts as allowed."""
    unread = any(
        problem.severity == "error" and (not problem.key or problem.key.startswith("mcp_allowed_commands"))
        for layer in layers
        if layer.scope == "user"
        for problem in layer.problems
    )
    if unread and settings.mcp_allowed_commands is None:
        return settings.model_copy(update={"mcp_allowed_commands": []})
    return settings


def _let_tighten(managed: Node, below: Node) -> Node:
    """What the company sets stands, except where somebody below asked for less still."""
    asked, locked = check(below).settings, check(managed).settings
    for keys, _ in list(managed.leaves()):
        if below.find(keys) is None or not can_tighten(keys):
            continue
        if at_least_as_tight(keys, value_at(asked, keys), value_at(locked, keys)):
            managed = managed.without(keys)
    return managed

"""Holds a settings tree against the schema: what is wrong is named with its place and taken out, the rest counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mewcode.config.node import Key, Node, dotted
from mewcode.config.place import Place, Problem
from mewcode.config.schema.lookup import nearest_key, nearest_name
from mewcode.config.schema.partial import Mistake, validate_groups
from mewcode.config.schema.settings import Settings
from mewcode.messages import message

ENTRY_GROUPS = frozenset({"mcp_servers", "providers", "roles", "principals", "permissions"})
"""Collections whose entries stand or fall as a whole: half a role would be another role."""
ISOLATED_GROUPS = frozenset({"mcp_servers", "providers"})
"""A wrong entry here is out of use by itself; elsewhere a wrong value makes the whole file count as broken."""
MAX_ROUNDS = 20


@dataclass
class Checked:
    """A tree that the schema accepts, what had to be taken out, and why which entry cannot be used."""

    tree: Node
    settings: Settings
    problems: list[Problem] = field(default_factory=list[Problem])
    disabled: dict[tuple[str, str], Problem] = field(default_factory=dict[tuple[str, str], Problem])


def check(tree: Node) -> Checked:
    """Validates until nothing is wrong any more; each round takes out every value that was complained about."""
    problems: list[Problem] = []
    disabled: dict[tuple[str, str], Problem] = {}
    for _ in range(MAX_ROUNDS):
        settings, mistakes = validate_groups(tree.plain())
        if not mistakes:
            return Checked(tree, settings, problems, disabled)
        found = [_explain(tree, mistake) for mistake in mistakes]
        for keys, problem in found:
            problems.append(problem)
            if problem.local and len(keys) > 1:
                disabled.setdefault((str(keys[0]), str(keys[1])), problem)
        tree = remove(tree, [keys for keys, _ in found])
    return Checked(Node({}, tree.place), Settings.model_construct(), problems, disabled)


def remove(tree: Node, ways: "list[tuple[Key, ...]]") -> Node:
    """The tree without these values, or without the entries they belong to. Later list items go first."""
    whole = {keys[:2] if keys and keys[0] in ENTRY_GROUPS else keys for keys in ways}
    for keys in sorted(whole, key=_last_first, reverse=True):
        if tree.find(keys) is not None:
            tree = tree.without(keys) if keys else Node({}, tree.place)
    return tree


def _last_first(keys: tuple[Key, ...]) -> tuple[int, list[tuple[int, str]]]:
    return len(keys), [(key, "") if isinstance(key, int) else (0, key) for key in keys]


def problem_at(tree: Node, keys: tuple[Key, ...], text: str, place: Place | None = None) -> Problem:
    """An error about the value at `keys`."""
    node = tree.deepest(keys)
    local = bool(keys) and keys[0] in ISOLATED_GROUPS and len(keys) > 1
    return Problem("error", text, place or node.place, dotted(keys), local)


def _explain(tree: Node, error: Mistake) -> tuple[tuple[Key, ...], Problem]:
    way = _way_in(tree, tuple(error["loc"]))
    node = tree.deepest(way)
    kind = str(error["type"])
    if kind == "missing":
        missing = dotted((*way, str(error["loc"][-1])))
        return way, problem_at(tree, way, message("config.missing_key", key=missing))
    if kind == "extra_forbidden":
        near = nearest_key(way)
        code = "config.unknown_key_near" if near else "config.unknown_key"
        return way, problem_at(tree, way, message(code, key=dotted(way), near=near), node.key_place)
    return way, problem_at(tree, way, _wrong_value(kind, dotted(way), error))


def _way_in(tree: Node, location: tuple[Key, ...]) -> tuple[Key, ...]:
    """The part of pydantic's location that is in the file; union members and field names that are missing are not."""
    way: list[Key] = []
    for key in location:
        if tree.find([*way, key]) is None:
            break
        way.append(key)
    return tuple(way)


def _wrong_value(kind: str, key: str, error: Mistake) -> str:
    context: Mapping[str, Any] = error.get("ctx") or {}
    if kind == "literal_error":
        return _not_one_of(key, str(context["expected"]), error["input"])
    if kind == "value_error":
        code = str(context["error"].args[0])
        return message(code, key=key)
    if kind == "string_pattern_mismatch":
        code = "config.not_url" if "://" in str(context["pattern"]) else "config.bad_format"
        return message(code, key=key)
    bound = next((context[name] for name in ("gt", "ge", "lt", "le", "min_length") if name in context), None)
    if bound is not None:
        return message("config.out_of_range", key=key, bound=f"{_SIGNS.get(kind, '')}{bound}")
    expected = next((kinds for start, kinds in _KINDS.items() if kind.startswith(start)), "other")
    return message("config.wrong_type", key=key, expected=message(f"config.type_{expected}"))


def _not_one_of(key: str, expected: str, given: object) -> str:
    choices = [choice.strip("' ") for choice in expected.replace(" or ", ", ").split(",")]
    near = nearest_name(given, choices) if isinstance(given, str) else None
    code = "config.not_one_of_near" if near else "config.not_one_of"
    return message(code, key=key, choices=", ".join(choices), near=near)


_SIGNS = {"greater_than": "> ", "greater_than_equal": ">= ", "less_than": "< ", "less_than_equal": "<= "}
_KINDS = {
    "string": "text",
    "int": "whole",
    "float": "number",
    "bool": "bool",
    "list": "list",
    "dict": "mapping",
    "model": "mapping",
    "path": "text",
}

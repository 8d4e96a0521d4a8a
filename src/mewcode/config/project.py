"""What a project file may set: it may tighten, choose among the user's models, and propose servers and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mewcode.config.node import Key, Node, dotted
from mewcode.config.place import Problem
from mewcode.config.schema.base import Group
from mewcode.config.schema.settings import Settings
from mewcode.config.shapes import as_mapping
from mewcode.config.tighten import at_least_as_tight, can_tighten
from mewcode.messages import message

PROPOSALS = ("mcp_servers", "permissions")
_CHOICES = ("model", "fallback_model")
_OWN_MACHINE = frozenset({"local", "ollama", "lmstudio", "llama-server"})
"""Models on this machine: nothing leaves it and nothing is billed."""
_KEY_NAMES = {
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "glm": ("ZHIPU_API_KEY", "GLM_API_KEY", "ZAI_API_KEY"),
    "kimi": ("MOONSHOT_API_KEY", "KIMI_API_KEY"),
    "qwen": ("DASHSCOPE_API_KEY", "QWEN_API_KEY"),
}


@dataclass
class Filtered:
    """What of a project's tree counts, and what was ignored, each named."""

    tree: Node
    ignored: list[Problem] = field(default_factory=list[Problem])


def filter_project(
    tree: Node, asked: Settings, base: Settings, environ: Mapping[str, str], user_file: Path
) -> Filtered:
    """`asked` is the validated form of the project's `tree` (which may hold trusted servers and rules already),
    `base` what the user's own settings say."""
    filtered = Filtered(tree)
    for keys, node in list(_settings_in(tree)):
        code = _refusal(keys, asked, base, environ)
        if code:
            text = message(code, key=dotted(keys), user_file=user_file)
            filtered.ignored.append(Problem("warning", text, node.key_place or node.place, dotted(keys)))
            filtered.tree = filtered.tree.without(keys)
    return filtered


def _settings_in(tree: Node, keys: tuple[Key, ...] = ()) -> "Iterator[tuple[tuple[Key, ...], Node]]":
    """Each single setting. What nobody can tighten is named once, as the group it is."""
    for key, node in tree.entries.items():
        way = (*keys, key)
        if way[0] in PROPOSALS:
            continue
        if _has_tightening_below(way) and isinstance(node.value, dict):
            yield from _settings_in(node, way)
        else:
            yield way, node


def _has_tightening_below(way: tuple[Key, ...]) -> bool:
    return way in _PARENTS or (len(way) == 3 and way[:2] in (("limits", "tools"), ("limits", "servers")))


_PARENTS = frozenset(
    [
        ("limits",),
        ("limits", "deadlines"),
        ("limits", "tools"),
        ("limits", "servers"),
        ("agent",),
        ("tools",),
        ("tools", "run_command"),
        ("tools", "read_file"),
        ("tools", "write_file"),
        ("tools", "search_code"),
        ("tools", "find_files"),
        ("mcp",),
        ("trust",),
        ("commands",),
        ("sandbox",),
        ("confirmations",),
    ]
)


def _refusal(keys: tuple[Key, ...], asked: Settings, base: Settings, environ: Mapping[str, str]) -> str | None:
    if len(keys) == 1 and keys[0] in _CHOICES:
        choice = getattr(asked, str(keys[0]))
        return None if is_users_model(choice, base, environ) else "config.project_model"
    if not can_tighten(keys):
        return "config.project_ignored"
    known_below = keys[:2] != ("limits", "deadlines") or value_at(base, keys) is not None
    tight = known_below and at_least_as_tight(keys, value_at(asked, keys), value_at(base, keys))
    return None if tight else "config.project_loosens"


def is_users_model(choice: str | None, base: Settings, environ: Mapping[str, str]) -> bool:
    """Whether the user has set that model up: named it, named its provider, or holds the provider's usual key."""
    if choice is None or choice in (base.model, base.fallback_model):
        return True
    provider, _, model = choice.partition(":")
    if ".gguf" in model.casefold():
        # Weights that a project brings along go through a parser of binary data that nobody made for hostile files.
        return False
    if provider in base.providers:
        listed = base.providers[provider].models
        return not listed or model in listed
    named = {name.partition(":")[0] for name in (base.model, base.fallback_model) if name}
    keys = _KEY_NAMES.get(provider, (f"{provider.upper().replace('-', '_')}_API_KEY",))
    return provider in named or provider in _OWN_MACHINE or any(environ.get(key) for key in keys)


def value_at(settings: Group, keys: tuple[Key, ...]) -> Any:
    """The validated value of a setting; None where nothing is."""
    value: Any = settings
    for key in keys:
        mapping = as_mapping(value)
        value = getattr(value, str(key), None) if mapping is None else mapping.get(str(key))
    return value


def references_in(tree: Node) -> "list[tuple[tuple[Key, ...], Node]]":
    """Strings that want expansion where nothing of a project expands: everywhere but in servers and allow rules."""
    rules = tree.child("permissions")
    allowed = {i for i, rule in enumerate(rules.items if rules else ()) if is_allow(rule)}
    return [
        (way, leaf)
        for way, leaf in tree.leaves()
        if isinstance(leaf.value, str) and "${" in leaf.value and not _is_proposal(way, allowed)
    ]


def _is_proposal(way: tuple[Key, ...], allowed: set[int]) -> bool:
    return way[0] == "mcp_servers" or (way[0] == "permissions" and len(way) > 1 and way[1] in allowed)


def is_allow(rule: Node) -> bool:
    """Only deny and ask count without consent; whatever else stands there is looked at like an allow."""
    effect = rule.child("effect")
    return effect is None or effect.value not in ("deny", "ask")

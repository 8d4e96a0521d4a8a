"""The shipped rule sets: readable files that a person can check."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

PresetName = Literal["blacklist", "whitelist"]


@dataclass(frozen=True)
class PresetRule:
    """`rule` is a command pattern; `effect` is allow, ask or deny; `line` counts from 1 in the preset's file."""

    rule: str
    effect: Literal["allow", "ask", "deny"]
    reason: str
    match: tuple[str, ...]
    not_match: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Preset:
    """`default` is what happens to a command that no rule names: None leaves it to the rules that follow."""

    name: str
    file: str
    about: str
    rules: tuple[PresetRule, ...]
    default: Literal["deny"] | None = None

    def __iter__(self) -> Iterator[PresetRule]:
        return iter(self.rules)


def preset(name: PresetName) -> Preset:
    """Reads a shipped set. Raises KeyError for a name that is not shipped."""
    from ruamel.yaml import YAML

    if name not in ("blacklist", "whitelist"):
        raise KeyError(name)
    file = resources.files("mewcode.governance.commands") / "presets" / f"{name}.yaml"
    content: Any = YAML(typ="rt").load(file.read_text(encoding="utf-8"))  # pyright: ignore[reportUnknownMemberType]
    return Preset(
        name=name,
        file=str(file),
        about=str(content["about"]),
        rules=tuple(_rule(entry, content["rules"].lc.item(at)[0] + 1) for at, entry in enumerate(content["rules"])),
        default="deny" if content.get("default") == "deny" else None,
    )


def _rule(entry: Any, line: int) -> PresetRule:
    return PresetRule(
        rule=str(entry["rule"]),
        effect=entry["effect"],
        reason=str(entry["reason"]),
        match=tuple(str(example) for example in entry.get("match", ())),
        not_match=tuple(str(example) for example in entry.get("not_match", ())),
        line=line,
    )

"""Which settings can be tightened, and when one value is tighter than another."""

from collections.abc import Mapping, Sequence
from typing import Any

from mewcode.config.node import Key

_LOWER = "lower"
_TRUE = "true"
_MORE = "more"
_TIGHTENING: Mapping[str, str | Sequence[str]] = {
    "limits.per_minute": _LOWER,
    "limits.concurrent": _LOWER,
    "limits.repeated_calls": _LOWER,
    "agent.max_turns": _LOWER,
    "agent.max_time": _LOWER,
    "agent.max_cost": _LOWER,
    "tools.run_command.timeout": _LOWER,
    "tools.run_command.max_timeout": _LOWER,
    "tools.run_command.output": _LOWER,
    "tools.run_command.jobs": _LOWER,
    "tools.read_file.lines": _LOWER,
    "tools.read_file.line_characters": _LOWER,
    "tools.write_file.max_size": _LOWER,
    "tools.search_code.limit": _LOWER,
    "tools.search_code.timeout": _LOWER,
    "tools.find_files.limit": _LOWER,
    "mcp.timeout": _LOWER,
    "mcp.max_call_time": _LOWER,
    "mcp.result_characters": _LOWER,
    "mcp.tool_changes": ("note", "ask"),
    "trust.escalate": _TRUE,
    "commands.preset": ("blacklist", "whitelist"),
    "sandbox.mode": ("off", "workspace", "strict"),
    "mode": ("auto", "accept-edits", "default", "plan"),
    "confirmations.also": _MORE,
    "confirmations.protected_paths": _MORE,
    "confirmations.expire_after": _LOWER,
}


def can_tighten(keys: Sequence[Key]) -> bool:
    """Whether there is such a thing as a tighter value of this setting."""
    return _rule_of(keys) is not None


def at_least_as_tight(keys: Sequence[Key], value: Any, base: Any) -> bool:
    """Whether `value` allows no more than `base` (both validated; None is no limit, or the default of a word)."""
    rule = _rule_of(keys)
    if rule == _LOWER:
        return value is not None and (base is None or value <= base)
    if rule == _TRUE:
        return value is True
    if rule == _MORE:
        return True
    if rule is None or isinstance(rule, str) or value not in rule:
        return False
    default = "workspace" if keys[0] == "sandbox" else rule[0]
    return rule.index(value) >= rule.index(base if base in rule else default)


def _rule_of(keys: Sequence[Key]) -> str | Sequence[str] | None:
    if len(keys) == 3 and keys[:2] == ("limits", "deadlines"):
        return _LOWER
    if len(keys) == 4 and keys[0] == "limits" and keys[1] in ("tools", "servers"):
        return _LOWER
    return _TIGHTENING.get(".".join(str(key) for key in keys))

"""Writes plain data as YAML that people like to read, and that every YAML reads back the same."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

STEP = 2
"""Spaces a level."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./@+\-]*")
_WORDS_WITH_MEANING = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"])


def dump_flow(value: Any) -> str:
    """On one line: {rule: "git *", effect: ask}. Text is quoted unless it is a plain word."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{dump_flow(str(key))}: {dump_flow(item)}" for key, item in value.items()) + "}"  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS_WITH_MEANING
        return value if plain else _quoted(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(dump_flow(item) for item in value) + "]"  # pyright: ignore[reportUnknownVariableType]
    return json.dumps(value)


def dump_block(entries: Mapping[str, Any], indent: int) -> str:
    """A line a key, mappings below their key, everything else behind it."""
    lines: list[str] = []
    for key, value in entries.items():
        start = f"{' ' * indent}{dump_flow(str(key))}:"
        if isinstance(value, Mapping) and value:
            lines += [start + "\n", dump_block(value, indent + STEP)]  # pyright: ignore[reportUnknownArgumentType]
        else:
            lines.append(f"{start} {dump_flow(value)}\n")
    return "".join(lines)


def _quoted(text: str) -> str:
    """JSON's strings are YAML's double-quoted ones, once the line breaks that only YAML knows are escaped, too."""
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]", _escaped, json.dumps(text, ensure_ascii=False))


def _escaped(found: "re.Match[str]") -> str:
    return f"\\u{ord(found.group()):04x}"

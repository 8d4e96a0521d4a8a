"""Reads the MCP servers that other programs have configured, in their own forms."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mewcode.mcp.shapes import as_list, as_object, as_text

PROGRAMS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini")


@dataclass(frozen=True)
class Foreign:
    """One server: `entry` is in MewCode's own form, `left_out` names what has no counterpart here."""

    program: str
    file: Path
    name: str
    entry: Mapping[str, Any]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unusable:
    """A file that is there and cannot be read."""

    file: Path
    why: str


@dataclass
class Found:
    servers: list[Foreign] = field(default_factory=list[Foreign])
    unusable: list[Unusable] = field(default_factory=list[Unusable])


def find(program: str, home: Path, workspace: Path, file: Path | None = None) -> Found:
    """All servers that `program` has configured for the user and for this workspace; or those of `file`."""
    found = Found()
    for path in [file] if file is not None else _files(program, home, workspace):
        if not path.is_file():
            continue
        try:
            data = _read(path)
        except (OSError, ValueError) as error:
            found.unusable.append(Unusable(path, str(error)))
            continue
        for name, entry in _entries(program, data, workspace):
            ours, left_out = translate(as_object(entry))
            found.servers.append(Foreign(program, path, name, ours, left_out))
    return found


def translate(entry: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """One entry in our form, and the keys that were left out."""
    ours: dict[str, Any] = {}
    used: set[str] = set()
    for ours_key, keys in _KEYS.items():
        for key in keys:
            if key in entry and entry[key] not in (None, {}, [], ""):
                used.add(key)
                ours.setdefault(ours_key, entry[key])
    _join_headers(entry, ours, used)
    if entry.get("disabled") is True or entry.get("enabled") is False:
        ours["enabled"] = False
    if entry.get("type") == "sse" or ("url" in entry and "httpUrl" not in entry and _is_gemini(entry)):
        ours["type"] = "sse"
    for key, ours_key, scale in _TIMES:
        value = entry.get(key)
        if isinstance(value, int | float):
            # Everybody but us counts `timeout` in milliseconds; nobody waits less than a second.
            divisor = 1 if key == "timeout" and value < 1000 else scale
            ours[ours_key] = f"{value / divisor:g}s"
            used.add(key)
    for key in _OURS & set(entry):
        ours.setdefault(key, entry[key])
        used.add(key)
    tools = dict(as_object(entry.get("tools"))) if set(as_object(entry.get("tools"))) <= _CHOICES else {}
    if tools:
        used.add("tools")
    tools |= {
        ours_key: as_list(entry.get(key))
        for ours_key, keys in _TOOLS.items()
        for key in keys
        if as_list(entry.get(key))
    }
    if tools:
        ours["tools"] = tools
    left_out = tuple(sorted(set(entry) - used - _UNDERSTOOD))
    return _expanded(ours), left_out


_KEYS: Mapping[str, tuple[str, ...]] = {
    "command": ("command",),
    "args": ("args",),
    "env": ("env", "environment"),
    "cwd": ("cwd",),
    "url": ("httpUrl", "url", "serverUrl"),
    "headers": ("headers", "http_headers"),
}
_TIMES = (
    ("timeout", "timeout", 1000),
    ("tool_timeout_sec", "timeout", 1),
    ("startup_timeout_sec", "connect_timeout", 1),
    ("startup_timeout_ms", "connect_timeout", 1000),
)
_TOOLS: Mapping[str, tuple[str, ...]] = {
    "allow": ("includeTools", "enabled_tools"),
    "deny": ("excludeTools", "disabled_tools"),
}
_CHOICES = frozenset({"allow", "deny", "always_load"})
_OURS = frozenset({"timeout", "connect_timeout", "tls", "era", "oauth", "credentials", "sampling", "sandbox", "roots"})
"""Keys that already are as we write them."""
_UNDERSTOOD = frozenset(
    {
        "type",
        "disabled",
        "enabled",
        "bearer_token_env_var",
        "env_http_headers",
        "env_vars",
        "includeTools",
        "excludeTools",
        "enabled_tools",
        "disabled_tools",
        "description",
        "name",
    }
)


def _join_headers(entry: Mapping[str, Any], ours: dict[str, Any], used: set[str]) -> None:
    """Codex names variables instead of writing values; ours are written as references to them."""
    headers = dict(as_object(ours.get("headers")))
    for name, variable in as_object(entry.get("env_http_headers")).items():
        headers[name] = f"${{{variable}}}"
    if token := as_text(entry.get("bearer_token_env_var")):
        headers["Authorization"] = f"Bearer ${{{token}}}"
    if headers:
        ours["headers"] = headers
    for variable in as_list(entry.get("env_vars")):
        ours.setdefault("env", {})
        ours["env"] = {**ours["env"], str(variable): f"${{{variable}}}"}
    used.add("env_vars")


def _is_gemini(entry: Mapping[str, Any]) -> bool:
    return bool({"trust", "includeTools", "excludeTools"} & set(entry))


def _expanded(value: Any) -> Any:
    """`${env:NAME}` of VS Code and Cursor is `${NAME}` here; Gemini's `$NAME` is as well."""
    if isinstance(value, str):
        text = value.replace("${env:", "${").replace("${workspaceFolder}", ".")
        return f"${{{text[1:]}}}" if text[:1] == "$" and text[1:].isidentifier() else text
    if isinstance(value, list):
        return [_expanded(item) for item in as_list(value)]
    if isinstance(value, Mapping):
        return {key: _expanded(item) for key, item in as_object(value).items()}
    return value


def _files(program: str, home: Path, workspace: Path) -> list[Path]:
    roaming = {"darwin": home / "Library/Application Support", "win32": home / "AppData/Roaming"}
    settings = roaming.get(sys.platform, home / ".config")
    return {
        "claude-code": [home / ".claude.json", home / ".claude/settings.json", workspace / ".mcp.json"],
        "claude-desktop": [settings / "Claude/claude_desktop_config.json"],
        "cursor": [home / ".cursor/mcp.json", workspace / ".cursor/mcp.json"],
        "vscode": [
            settings / "Code/User/mcp.json",
            settings / "Code/User/settings.json",
            workspace / ".vscode/mcp.json",
        ],
        "codex": [home / ".codex/config.toml", workspace / ".codex/config.toml"],
        "gemini": [home / ".gemini/settings.json", workspace / ".gemini/settings.json"],
    }[program]


def _entries(program: str, data: Mapping[str, Any], workspace: Path) -> Iterator[tuple[str, Any]]:
    if program == "codex":
        yield from as_object(data.get("mcp_servers")).items()
        return
    if program == "vscode":
        yield from as_object(data.get("servers")).items()
        yield from as_object(as_object(data.get("mcp")).get("servers")).items()
    yield from as_object(data.get("mcpServers")).items()
    if program == "claude-code":
        here = as_object(as_object(data.get("projects")).get(str(workspace)))
        yield from as_object(here.get("mcpServers")).items()


def _read(path: Path) -> Mapping[str, Any]:
    """JSON, with comments and trailing commas as VS Code allows them; or TOML."""
    text = path.read_text("utf-8-sig")
    if path.suffix == ".toml":
        return _toml(text)
    try:
        return as_object(json.loads(text))
    except ValueError:
        return as_object(json.loads(without_comments(text)))


def _toml(text: str) -> Mapping[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # pyright: ignore[reportMissingImports]
    return as_object(tomllib.loads(text))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


_CLOSES = re.compile(r"\s*[}\]]")


def without_comments(text: str) -> str:
    """JSON with comments as plain JSON. What stands in strings is left alone."""
    kept: list[str] = []
    position = 0
    while position < len(text):
        char, pair = text[position], text[position : position + 2]
        if char == '"':
            end = _end_of_string(text, position)
            kept.append(text[position:end])
            position = end
        elif pair == "//":
            position = _after(text, "\n", position, keep=True)
        elif pair == "/*":
            position = _after(text, "*/", position)
        elif char == "," and _CLOSES.match(text, position + 1):
            position += 1
        else:
            kept.append(char)
            position += 1
    return "".join(kept)


def _end_of_string(text: str, start: int) -> int:
    position = start + 1
    while position < len(text) and text[position] != '"':
        position += 2 if text[position] == "\\" else 1
    return position + 1


def _after(text: str, mark: str, start: int, *, keep: bool = False) -> int:
    found = text.find(mark, start + 2)
    if found < 0:
        return len(text)
    return found if keep else found + len(mark)

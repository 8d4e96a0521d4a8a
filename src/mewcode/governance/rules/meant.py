"""The name that the writer of a rule probably meant, where theirs fits nothing."""

from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches

_ELSEWHERE = {
    "bash": "run_command",
    "shell": "run_command",
    "read": "read_file",
    "write": "write_file",
    "edit": "edit_file",
    "multiedit": "edit_file",
    "grep": "search_code",
    "glob": "find_files",
}
"""What other programs call the tools that are built in here."""
_ALIKE = 0.8
"""How like a configured server's name a slip of the pen is, at least."""


def meant_name(name: str, servers: Sequence[str], tools: Sequence[str]) -> str | None:
    """The nearest name that fits something, None where nothing is near."""
    if other := _ELSEWHERE.get(name.lower()):
        return other
    if not name.startswith("mcp_"):
        return next(iter(get_close_matches(name, tools, n=1, cutoff=0.6)), None)
    server, separator, tool = name[len("mcp_") :].strip("_").partition("__")
    if name.startswith("mcp__") and server and (server in servers or separator):
        return f"mcp_{server}_{tool or '*'}"
    near = max(servers, key=lambda known: _likeness(name, known), default=None)
    return f"mcp_{near}_*" if near is not None and _likeness(name, near) >= _ALIKE else None


def _likeness(name: str, server: str) -> float:
    """How much the beginning of a rule's name is like the names of a server's tools."""
    prefix = f"mcp_{server}_"
    return SequenceMatcher(None, name[: len(prefix)].removeprefix("mcp_"), prefix.removeprefix("mcp_")).ratio()

"""Names for the model: `mcp_<server>_<tool>` in the characters that every provider takes, and unique."""

import hashlib
import re
from collections.abc import Collection, Iterable

LONGEST_NAME = 64
"""The shortest limit among providers (OpenAI's function names)."""
_LONGEST_SERVER = 28
_HASH = 6


def prefix_of(server: str) -> str:
    """How the names of all tools of `server` begin. A long server name is cut and gets a short hash."""
    plain = _plain(server)
    if len(plain) > _LONGEST_SERVER:
        plain = f"{plain[: _LONGEST_SERVER - _HASH - 1]}_{_hash(server)}"
    return f"mcp_{plain}_"


def model_names(server: str, tools: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """The model's name for each original name, in the order given.

    Names that would be cut, that two of these tools would share, or that are in `taken` get a short hash of the pair
    (server, tool): the same pair always gets the same hash. An exact repeat of a tool is one tool.
    """
    originals = list(dict.fromkeys(tools))
    prefix = prefix_of(server)
    wished = {original: prefix + (_plain(original) or "tool") for original in originals}
    count: dict[str, int] = {}
    for name in wished.values():
        count[name] = count.get(name, 0) + 1
    return {
        original: name
        if count[name] == 1 and len(name) <= LONGEST_NAME and name not in taken
        else _with_hash(name, server, original)
        for original, name in wished.items()
    }


def owned_name(server: str, tool: str, owner: str) -> str:
    """The name of one principal's tool among those of all principals."""
    name = prefix_of(server) + (_plain(tool) or "tool")
    return f"{name[: LONGEST_NAME - 2 * _HASH - 1]}_{_hash(server, tool, owner, length=2 * _HASH)}"


def _with_hash(name: str, server: str, original: str) -> str:
    return f"{name[: LONGEST_NAME - _HASH - 1]}_{_hash(server, original)}"


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)


def _hash(*parts: str, length: int = _HASH) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:length]

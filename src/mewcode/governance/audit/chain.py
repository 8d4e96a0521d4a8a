"""The hash chain: every record carries the hash of the one before it, so none can be changed, moved or taken out."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

GENESIS = "0" * 64
"""What the first record of a chain has for the hash of its predecessor."""

HASHED = (
    "seq",
    "chain",
    "position",
    "previous",
    "kind",
    "time_us",
    "begun",
    "principal",
    "roles",
    "door",
    "session",
    "server",
    "tool",
    "name",
    "call_id",
    "effect",
    "rule",
    "policy",
    "outcome",
    "duration_us",
    "body",
)
"""The columns that a record's hash covers, in this order: all but the hash itself."""

_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def hash_of(row: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of the JSON array of the hashed columns."""
    return hash_of_values([row[column] for column in HASHED])


def hash_of_values(values: Sequence[Any]) -> str:
    """The same, of the values of the hashed columns in their order."""
    return hashlib.sha256(_encode(values).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Head:
    """How far a chain has come: its name, the position of its last record (0: none yet) and that record's hash."""

    chain: str
    position: int = 0
    hash: str = GENESIS

    def to_json(self) -> dict[str, Any]:
        return {"chain": self.chain, "position": self.position, "hash": self.hash}

    def link(self, row: dict[str, Any]) -> "Head":
        """Makes `row` the next record of the chain, in place, and returns the new head."""
        row.update(chain=self.chain, position=self.position + 1, previous=self.hash)
        row["hash"] = hash_of(row)
        return replace(self, position=self.position + 1, hash=row["hash"])

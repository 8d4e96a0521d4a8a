"""Arguments as the audit keeps them: redacted, and bounded in a way that says what was left out."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from mewcode.calls import Json

Redact: TypeAlias = Callable[[str], str]

TEXT_LIMIT = 2_000
"""Characters of one string that are kept."""
ITEM_LIMIT = 100
"""Entries of one list or object that are kept."""
DEPTH_LIMIT = 12
TOTAL_LIMIT = 32_000
"""Characters of the JSON text of all arguments of a call."""
_encode = json.JSONEncoder(ensure_ascii=False, default=str).encode
_MARGIN = 8_192
"""Characters beyond the cut that are redacted too, so that no secret (a private key is 3 kB) is cut in two and half
kept."""


def bounded(value: Json, redact: Redact, total: int = TOTAL_LIMIT) -> Json:
    """A copy of a JSON value with its strings redacted; what is cut leaves `{"$cut": …}` with its size and SHA-256.

    `total` are characters of the JSON text of the whole.
    """
    kept = _bounded(value, redact, 0)
    if isinstance(value, str) and total >= TOTAL_LIMIT:  # bounded already
        return kept
    text = _encode(kept)
    if len(text) <= total:
        return kept
    return {"$cut": {"head": text[:total], "characters": len(text), "sha256": _digest(text)}}


def _bounded(value: Json, redact: Redact, depth: int) -> Json:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return _bounded_text(value, redact)
    if depth >= DEPTH_LIMIT:
        return {"$cut": {"depth": depth}}
    if isinstance(value, Mapping):
        return _bounded_object(cast("Mapping[str, Json]", value), redact, depth)
    if isinstance(value, (list, tuple)):
        return _bounded_list(list(cast("list[Json]", value)), redact, depth)
    return _bounded_text(str(value), redact)


def _bounded_text(text: str, redact: Redact) -> Json:
    if len(text) <= TEXT_LIMIT:
        return _storable(redact(text))
    head = _storable(redact(text[: TEXT_LIMIT + _MARGIN])[:TEXT_LIMIT])
    return {"$cut": {"head": head, "characters": len(text), "sha256": _digest(text)}}


def _bounded_object(value: Mapping[str, Json], redact: Redact, depth: int) -> Json:
    entries = list(value.items())
    kept = {
        _storable(redact(str(key)[:TEXT_LIMIT])): _bounded(item, redact, depth + 1)
        for key, item in entries[:ITEM_LIMIT]
    }
    if len(entries) > ITEM_LIMIT:
        kept["$cut"] = {"entries": len(entries)}
    return kept


def _bounded_list(value: list[Json], redact: Redact, depth: int) -> Json:
    kept = [_bounded(item, redact, depth + 1) for item in value[:ITEM_LIMIT]]
    if len(value) > ITEM_LIMIT:
        kept.append({"$cut": {"items": len(value)}})
    return kept


def _storable(text: str) -> str:
    """Text without what a database refuses: NUL (PostgreSQL) and lone surrogates, both made visible."""
    return text.replace("\0", "\\u0000").encode("utf-8", "backslashreplace").decode("utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

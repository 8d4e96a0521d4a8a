"""Secrets out of whatever leaves the gate: results, audit, logs, error texts."""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast
from urllib.parse import quote

from mewcode.calls import Json
from mewcode.governance.token_shapes import SHAPES, WORD, Shape, begins_a_word

SHORTEST = 6
"""Characters. Anything shorter is a word, and hiding it would only hide other text."""
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = "-----END "
_PEM_LONGEST = 16_384
_JWT = re.compile(r"\.eyJ[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)?")
_JWT_HEAD_LONGEST = 2_048
_PEM_START = "-----BEGIN "
_DEEPEST = 200


class Redactor:
    """`secrets` are values of the settings that must not be shown; token shapes are found besides.

    Cost is linear in the text, whatever the text is.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: tuple[str, ...] = ()
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """Further values to hide, for tokens that are issued later."""
        known = {spelling for secret in secrets if len(secret) >= SHORTEST for spelling in _spellings(secret)}
        self._secrets = tuple(sorted({*self._secrets, *known}, key=len, reverse=True))

    def __call__(self, text: str) -> str:
        return self.redact(text)

    def redact(self, text: str) -> str:
        """The text with each secret replaced by `[redacted]`, or `[redacted: kind]` for a token shape."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, "[redacted]")
        if _PEM_START in text:
            text = _without_private_keys(text)
        if ".eyJ" in text:
            text = _without_web_tokens(text)
        for shape in SHAPES:
            if shape.start in text:
                text = _without(shape, text)
        return text

    def redact_json(self, value: Json, depth: int = 0) -> Json:
        """The same value where nothing was found, else a copy with the secrets in its strings and keys replaced."""
        if isinstance(value, str):
            return self.redact(value)
        if depth > _DEEPEST:
            return "[too deep]"
        if isinstance(value, Mapping):
            entries = cast("Mapping[Json, Json]", value)
            copy = {
                self.redact_json(key, depth + 1): self.redact_json(item, depth + 1) for key, item in entries.items()
            }
            return entries if copy == entries else copy
        if isinstance(value, (list, tuple)):
            items = cast("list[Json]", value)
            copied = [self.redact_json(item, depth + 1) for item in items]
            return items if copied == list(items) else copied
        return value

    def kinds(self, text: str) -> tuple[str, ...]:
        """What kinds of secrets are in the text, each once."""
        return tuple(dict.fromkeys(self._kinds(text)))

    def _kinds(self, text: str) -> Iterator[str]:
        if any(secret in text for secret in self._secrets):
            yield "a secret of the settings"
        if _PEM_START in text and _PEM.search(text):
            yield "private-key"
        if ".eyJ" in text and _without_web_tokens(text) != text:
            yield "web-token"
        yield from (shape.kind for shape in SHAPES if shape.start in text and _without(shape, text) != text)


def _without(shape: Shape, text: str) -> str:
    def replaced(found: re.Match[str]) -> str:
        whole = found.group()
        if not begins_a_word(text, found.start()) and shape.start[0].isalnum():
            return whole
        if not shape.judge(whole):
            return whole
        mark = f"[redacted: {shape.kind}]"
        return mark if not found.groups() else whole.replace(found[1], mark)

    return shape.pattern.sub(replaced, text)


def _without_private_keys(text: str) -> str:
    pieces: list[str] = []
    position = 0
    for begin in _PEM.finditer(text):
        if begin.start() < position:
            continue
        limit = begin.end() + _PEM_LONGEST
        end = text.find(_PEM_END, begin.end(), limit)
        pieces += [text[position : begin.start()], "[redacted: private-key]"]
        position = limit if end < 0 else _end_of_line(text, end)
    return "".join([*pieces, text[position:]])


def _end_of_line(text: str, start: int) -> int:
    """Behind the five dashes that close the line, at most a line's length on."""
    closing = text.find("-----", start + len(_PEM_END), start + 100)
    return start + len(_PEM_END) if closing < 0 else closing + 5


def _without_web_tokens(text: str) -> str:
    """A JSON Web Token is found by its second part, which is rare, and then followed back to its first."""
    pieces: list[str] = []
    position = 0
    for body in _JWT.finditer(text):
        head = _start_of_head(text, position, body.start())
        if not text.startswith("eyJ", head):
            continue
        pieces += [text[position:head], "[redacted: web-token]"]
        position = body.end()
    return "".join([*pieces, text[position:]])


def _start_of_head(text: str, earliest: int, end: int) -> int:
    """Where the run of token characters that ends at `end` begins."""
    at = end
    while at > max(earliest, end - _JWT_HEAD_LONGEST) and text[at - 1] in WORD:
        at -= 1
    return at


def _spellings(secret: str) -> Iterator[str]:
    """The secret as it may turn up: as it is, in a URL, in JSON, in base64."""
    yield secret
    yield quote(secret, safe="")
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    raw = secret.encode("utf-8", "surrogatepass")
    if len(raw) >= 12:
        yield base64.b64encode(raw).decode().rstrip("=")
        yield base64.urlsafe_b64encode(raw).decode().rstrip("=")

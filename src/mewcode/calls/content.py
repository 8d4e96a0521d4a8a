"""Content blocks: the kinds of MCP (2026-07-28, server/tools), as plain data."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Image:
    data: bytes
    media_type: str


@dataclass(frozen=True)
class Audio:
    data: bytes
    media_type: str


@dataclass(frozen=True)
class ResourceLink:
    """A pointer to a resource that was not sent along."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    media_type: str | None = None


@dataclass(frozen=True)
class EmbeddedResource:
    """A resource with its content: exactly one of `text` and `data` is set."""

    uri: str
    text: str | None = None
    data: bytes | None = None
    media_type: str | None = None


Content: TypeAlias = Text | Image | Audio | ResourceLink | EmbeddedResource

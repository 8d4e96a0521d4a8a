"""What a tool answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mewcode.calls.content import Content, Text


class Trust(str, Enum):
    """Where content came from decides what may follow it (governance, trust labels)."""

    OWN = "own"
    WORKSPACE = "workspace"
    EXTERNAL = "external"


@dataclass(frozen=True)
class Origin:
    """The tool (and server) that produced content, and the file, command or URI it came from."""

    tool: str = ""
    server: str | None = None
    place: str | None = None


class ErrorKind(str, Enum):
    INVALID_ARGUMENTS = "invalid_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    NOT_LOADED = "not_loaded"
    REFUSED = "refused"
    TOOL_ERROR = "tool_error"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    RATE_LIMITED = "rate_limited"
    BREAKER_OPEN = "breaker_open"
    SERVER_MISSING = "server_missing"
    OUTCOME_UNKNOWN = "outcome_unknown"
    INTERNAL = "internal"


@dataclass(frozen=True)
class CallError:
    kind: ErrorKind
    message: str
    server: str | None = None
    retry_after: float | None = None
    """Seconds, where waiting would help."""
    reply: Mapping[str, Any] | None = field(default=None, repr=False)
    """A server's JSON-RPC error as it came, where a client of ours can act on it."""


@dataclass(frozen=True)
class FileChange:
    """A file that a call wrote. Hashes are SHA-256 in hex; None where there was no file before or is none after."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class ToolResult:
    """The whole answer. `wire` is an upstream server's result exactly as it came, for passing on unchanged."""

    content: tuple[Content, ...] = ()
    structured: Any = None
    is_error: bool = False
    error: CallError | None = None
    origin: Origin = field(default_factory=Origin)
    trust: Trust = Trust.OWN
    files: tuple[FileChange, ...] = ()
    truncated: bool = False
    output_path: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    wire: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.content if isinstance(block, Text))

    @classmethod
    def of_text(cls, text: str, **more: Any) -> "ToolResult":
        return cls(content=(Text(text),), **more)

    @classmethod
    def failed(
        cls, kind: ErrorKind, text: str, *, server: str | None = None, retry_after: float | None = None, **more: Any
    ) -> "ToolResult":
        error = CallError(kind, text, server, retry_after)
        return cls(content=(Text(text),), is_error=True, error=error, **more)

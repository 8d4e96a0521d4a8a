"""What can go wrong between MewCode and a server."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mewcode.errors import MewCodeError
from mewcode.mcp.shapes import as_object


class McpError(MewCodeError):
    """Something between MewCode and an MCP server failed."""


class CannotStartError(McpError):
    """A server cannot be started as it is configured; trying again changes nothing."""


class ServerGoneError(McpError):
    """A server is not there: off, not trusted, failed, or not back in time."""


class ConnectError(McpError):
    """One attempt to connect failed. `final` says that another attempt would fail the same way."""

    def __init__(self, code: str, *, final: bool = False, needs_auth: bool = False, **values: object) -> None:
        super().__init__(code, **values)
        self.final = final
        self.needs_auth = needs_auth
        self.retry_after: float | None = None


@dataclass
class RpcError(Exception):
    """A server's (or the transport's) error reply, as it came."""

    code: int
    message: str
    data: Any = None

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"

    @property
    def http(self) -> Mapping[str, Any]:
        """What the HTTP transport added: status, reason, www_authenticate, retry_after, body."""
        facts = as_object(self.data)
        return facts if "status" in facts else {}


@dataclass
class TimedOutError(Exception):
    """Nothing was heard for `seconds`; `hard` when the longest time of all was over."""

    seconds: float
    hard: bool = False


def leaves(error: BaseException) -> Iterable[BaseException]:
    """The exceptions inside nested groups: what really happened."""
    nested = getattr(error, "exceptions", None)
    if nested is None:
        yield error
        return
    for inner in nested:
        yield from leaves(inner)


def told(error: BaseException) -> str:
    """The reasons in one line, without the words of task groups."""
    reasons = [str(leaf) or type(leaf).__name__ for leaf in leaves(error)]
    return "; ".join(dict.fromkeys(reasons))

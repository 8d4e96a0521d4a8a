"""Explains why an attempt to connect failed, and whether another one has a chance."""

from collections.abc import Mapping
from typing import Any

from mewcode.mcp.attempt import Attempt
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.errors import ConnectError, McpError, RpcError, TimedOutError, leaves, told
from mewcode.messages import message

_ENDED = (-32000, -33010)
"""The SDK's "connection closed", and `wire.NOT_SENT`: what a process that has ended leaves its callers with."""
_DOWNLOADERS = frozenset({"npx", "uvx", "bunx", "docker", "podman", "pipx"})
"""Commands that fetch the server before they start it."""
_WORTH_ANOTHER_TRY = frozenset({408, 421, 425, 429})


def explain(error: BaseException, attempt: Attempt, definition: ServerDefinition) -> ConnectError:
    """The error to show, made from what was raised and what the attempt saw."""
    found = list(leaves(error))
    for leaf in found:
        if isinstance(leaf, ConnectError):
            return leaf
        if isinstance(leaf, McpError):
            return ConnectError("mcp.as_it_is", final=True, text=str(leaf))
    rpc = next((leaf for leaf in found if isinstance(leaf, RpcError)), None)
    if rpc is not None and rpc.http:
        return _http(rpc, definition)
    if rpc is not None and "Redirect to" in rpc.message:
        return ConnectError("mcp.redirect", final=True, why=rpc.message, url=definition.url)
    if any(isinstance(leaf, TimedOutError) for leaf in found):
        return _late(attempt, definition)
    if definition.command and (rpc is None or rpc.code in _ENDED):
        return _ended(error, attempt)
    version = next((leaf for leaf in found if "Unsupported protocol version" in str(leaf)), None)
    if version is not None:
        return ConnectError("mcp.version", final=True, why=version)
    if rpc is not None:
        return ConnectError("mcp.rpc", stage=attempt.stage, why=rpc)
    return ConnectError("mcp.failed", stage=attempt.stage, why=told(error))


def _http(rpc: RpcError, definition: ServerDefinition) -> ConnectError:
    facts, url = rpc.http, definition.url
    status = facts["status"]
    if status == 0:
        return _unreachable(url, str(facts["reason"]))
    if status == 401:
        return ConnectError("mcp.needs_login", final=True, needs_auth=True, url=url, login=definition.login_command)
    if status < 400:
        return ConnectError("mcp.no_json", url=url, kind=facts.get("content_type"), body=facts.get("body"))
    final = status < 500 and status not in _WORTH_ANOTHER_TRY
    error = ConnectError("mcp.http", final=final, url=url, status=status, hint=hint_for(status), body=_body(facts))
    error.retry_after = seconds(facts.get("retry_after"))
    return error


def _unreachable(url: str, reason: str) -> ConnectError:
    from mewcode.mcp.transports.http import proxy_for

    if reason.startswith("TLS"):
        return ConnectError("mcp.tls", url=url, why=reason)
    proxy = proxy_for(url)
    if proxy is not None:
        return ConnectError("mcp.unreachable_by_proxy", url=url, why=reason, proxy=proxy.rpartition("@")[2])
    return ConnectError("mcp.unreachable", url=url, why=reason)


def hint_for(status: int) -> str:
    """What usually is behind an HTTP status, for people."""
    known = {403, 404, 405, 421, 429}
    kind = str(status) if status in known else "5xx" if status >= 500 else "4xx"
    return message(f"mcp.hint_{kind}")


def seconds(value: Any) -> float | None:
    """A Retry-After header in seconds. Its other form, a date, is not used by MCP servers and is ignored."""
    text = str(value or "").strip()
    return min(float(text), 3600.0) if text.isdigit() else None


def _body(facts: Mapping[str, Any]) -> str:
    body = facts.get("body") or ""
    return f": {body[:160]}" if body else ""


def _late(attempt: Attempt, definition: ServerDefinition) -> ConnectError:
    code = "mcp.late_download" if definition.command and definition.command[0] in _DOWNLOADERS else "mcp.late"
    wait = f"{definition.connect_timeout:g}"
    return ConnectError(code, stage=attempt.stage, seconds=wait, stderr=_last_words(attempt))


def _ended(error: BaseException, attempt: Attempt) -> ConnectError:
    code = attempt.exit_code
    if code is None:
        return ConnectError("mcp.closed", stage=attempt.stage, stderr=_last_words(attempt), why=told(error))
    return ConnectError("mcp.ended", stage=attempt.stage, exit=code, stderr=_last_words(attempt))


def _last_words(attempt: Attempt) -> str:
    tail = attempt.stderr
    return message("mcp.last_words", tail=tail[-600:]) if tail else ""

"""Every way in which the HTTP fault server misbehaves, beside a server that behaves."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.mcp.running import PATIENCE, call, fault, running, until

from mewcode.calls import ErrorKind
from mewcode.mcp import ServerDefinition
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio
HTTP_FAULT_SERVER = Path(__file__).parents[1] / "faults" / "http_fault_server.py"
READY, RETRYING, FAILED, NEEDS_AUTH = (
    ServerState.READY,
    ServerState.RETRYING,
    ServerState.FAILED,
    ServerState.NEEDS_AUTH,
)


@dataclass(frozen=True)
class Case:
    state: ServerState = READY
    error: str = ""
    text: str = "useful"
    kind: ErrorKind | None = None


CASES = {
    "ok": Case(),
    "status_401": Case(NEEDS_AUTH, "mewcode mcp login status_401"),
    "status_403": Case(FAILED, "HTTP 403"),
    "status_404": Case(FAILED, "There is no MCP endpoint"),
    "status_421": Case(RETRYING, "host name"),
    "status_429": Case(RETRYING, "HTTP 429"),
    "status_500": Case(RETRYING, "no luck: 500"),
    "status_503": Case(RETRYING, "HTTP 503"),
    "call_401": Case(text="HTTP 401", kind=ErrorKind.SERVER_MISSING),
    "call_429": Case(text="limits its callers", kind=ErrorKind.RATE_LIMITED),
    "call_500": Case(text="no luck: 500", kind=ErrorKind.TOOL_ERROR),
    "html": Case(RETRYING, "text/html instead of JSON"),
    "call_html": Case(text="text/html instead of JSON", kind=ErrorKind.TOOL_ERROR),
    "cut_json": Case(text="outcome is unknown", kind=ErrorKind.OUTCOME_UNKNOWN),
    "cut_sse": Case(text="outcome is unknown", kind=ErrorKind.OUTCOME_UNKNOWN),
    "drop": Case(text="outcome is unknown", kind=ErrorKind.OUTCOME_UNKNOWN),
    "slow_headers": Case(text="did not answer t for 0.5 s", kind=ErrorKind.TIMEOUT),
    "slow_connect": Case(RETRYING, "did not answer"),
    "redirect_away": Case(FAILED, "redirects elsewhere"),
    "redirect_home": Case(),
    "expired_session": Case(),
    "big_event": Case(text="x" * 1000),
    "accepted": Case(text="202 Accepted", kind=ErrorKind.TOOL_ERROR),
    "list_changed": Case(),
}


@contextmanager
def serving(mode: str, port: int = 0) -> Iterator[int]:
    """The fault server in a process of its own; gives its port."""
    command = [sys.executable, str(HTTP_FAULT_SERVER), mode, str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def at(name: str, port: int, **more: float) -> ServerDefinition:
    settings = {"connect_timeout": PATIENCE, "timeout": PATIENCE, **more}
    return ServerDefinition(name, url=f"http://127.0.0.1:{port}/mcp", **settings)


def test_the_table_has_every_mode() -> None:
    listed = subprocess.run([sys.executable, HTTP_FAULT_SERVER, "--list"], capture_output=True, text=True, check=True)
    assert {line.split()[0] for line in listed.stdout.splitlines()} == set(CASES)


@pytest.mark.parametrize("mode", CASES)
async def test_a_fault_over_http_costs_nobody_else_anything(mode: str) -> None:
    case = CASES[mode]
    timeout = 0.5 if mode == "slow_headers" else PATIENCE
    connect_timeout = 2.0 if mode == "slow_connect" else PATIENCE
    with serving(mode) as port:
        broken = at(mode, port, timeout=timeout, connect_timeout=connect_timeout)
        async with running(fault("sibling", "ok"), broken) as manager:
            server = manager.servers[mode]
            assert server.source.state is case.state, server.source.error
            assert case.error in (server.source.error or "")
            if case.state is READY:
                result = await call(manager, mode)
                assert case.text in result.text
                assert (result.error.kind if result.error else None) == case.kind
            assert (await call(manager, "sibling")).text == "useful"


async def test_the_time_to_wait_is_passed_on() -> None:
    with serving("call_429") as port:
        async with running(at("s", port)) as manager:
            error = (await call(manager, "s")).error
            assert error is not None
            assert error.retry_after == 7


async def test_a_server_that_restarts_is_found_again_by_the_next_call() -> None:
    async with AsyncExitStack() as stack:
        with serving("ok") as port:
            manager = await stack.enter_async_context(running(at("s", port)))
            assert (await call(manager, "s")).text == "useful"
        with serving("ok", port):
            assert (await call(manager, "s")).text == "useful"


async def test_a_call_while_the_server_is_away_says_that_nothing_was_done() -> None:
    async with AsyncExitStack() as stack:
        with serving("ok") as port:
            manager = await stack.enter_async_context(running(at("s", port, connect_timeout=1.0)))
        error = (await call(manager, "s")).error
        assert error is not None
        assert error.kind is ErrorKind.SERVER_MISSING
        assert "Nothing was done" in error.message


async def test_a_tool_that_appears_is_heard_of_on_the_stream_of_notifications() -> None:
    with serving("list_changed") as port:
        async with running(at("s", port)) as manager:
            await call(manager, "s")
            await until(lambda: manager.registry.find("s", "late"))


async def test_a_server_that_is_not_there_yet_is_connected_once_it_is() -> None:
    with serving("ok") as port:
        pass
    async with running(at("s", port)) as manager:
        assert manager.servers["s"].source.state is RETRYING
        assert "cannot be reached" in (manager.servers["s"].source.error or "")
        with serving("ok", port):
            await until(lambda: manager.servers["s"].source.state is READY)
            assert (await call(manager, "s")).text == "useful"

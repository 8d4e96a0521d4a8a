"""Servers over HTTP that do what real ones were reported to do to other hosts, beyond the modes of the fault server."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from tests.mcp.running import call, running, until
from tests.mcp.test_http_faults import HTTP_FAULT_SERVER, at

from mewcode.calls import ErrorKind
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio


@contextmanager
def http_server_that(tmp_path: Path, body: str) -> Iterator[int]:
    """The fault server with methods of its own: `body` is the inside of a class. Gives its port."""
    lines = "\n".join("    " + line for line in body.strip("\n").splitlines())
    script = tmp_path / "http_server.py"
    script.write_text(
        f"import io, json, sys, time\nsys.path.insert(0, {str(HTTP_FAULT_SERVER.parent)!r})\n"
        f"from http_fault_server import *\nclass Odd(Handler):\n{lines}\n"
        "server = QuietServer(('127.0.0.1', 0), Odd)\nprint(server.server_port, flush=True)\nserver.serve_forever()\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


NO_SESSION = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "%s"}}'


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, NO_SESSION % "Bad Request: No valid session ID provided", "application/json"),
        (400, NO_SESSION % "Invalid or missing session ID", "application/json"),
        (404, NO_SESSION % "Session not found", "application/json"),
        (401, "Unauthorized: Session not found", "text/plain"),
        (410, "the session has expired", "text/plain"),
        (404, "", "text/plain"),
    ],
)
async def test_a_session_that_the_server_forgot_is_made_anew_however_it_says_so(
    tmp_path: Path, status: int, body: str, kind: str
) -> None:
    odd = f"""
def call(self, body):
    if not CALLS:
        CALLS.append(body)
        SESSIONS.clear()
        return self.answer({status}, {body!r}, {kind!r})
    return self.result(body, {{"content": [{{"type": "text", "text": "useful"}}]}})
"""
    with http_server_that(tmp_path, odd) as port:
        async with running(at("s", port)) as manager:
            result = await call(manager, "s")
            assert result.text == "useful"
            assert manager.servers["s"].source.state is ServerState.READY


async def test_a_call_that_is_refused_for_another_reason_does_not_cost_the_session(tmp_path: Path) -> None:
    odd = f"""
def call(self, body):
    return self.answer(400, {NO_SESSION % "this needs an argument"!r}, "application/json")
"""
    with http_server_that(tmp_path, odd) as port:
        async with running(at("s", port)) as manager:
            session = manager.connection("s").session
            assert "this needs an argument" in (await call(manager, "s")).text
            assert manager.connection("s").session is session


async def test_a_request_that_breaks_off_ends_no_other_call_of_the_same_server(tmp_path: Path) -> None:
    odd = """
def call(self, body):
    if body["params"]["arguments"].get("drop"):
        return self.hang_up()
    CALLS.append(body)
    while True:
        time.sleep(0.05)
        if "release" in LATE:
            return self.result(body, {"content": [{"type": "text", "text": "useful"}]})

def do_GET(self):
    if self.path == "/release":
        LATE.append("release")
    return self.answer(405)
"""
    import httpx2

    with http_server_that(tmp_path, odd) as port:
        async with running(at("s", port)) as manager, anyio.create_task_group() as tasks:
            kinds: list[ErrorKind | None] = []

            async def slow() -> None:
                result = await call(manager, "s")
                kinds.append(result.error.kind if result.error else None)

            tasks.start_soon(slow)
            attempt = manager.connection("s").attempt
            await until(lambda: "tools/call" in attempt.wire.pending.values())  # pyright: ignore
            broken = await call(manager, "s", drop=True)
            assert broken.error is not None
            assert broken.error.kind is ErrorKind.OUTCOME_UNKNOWN
            async with httpx2.AsyncClient() as client:
                await client.get(f"http://127.0.0.1:{port}/release")
        assert kinds == [None]


@pytest.mark.parametrize(
    "answer",
    [
        "self.answer(404)",
        "self.answer(405)",
        "self.answer(400, 'Bad Request: Server not initialized')",
        "self.answer(400, '{\"error\": \"no session\"}', 'application/json')",
        "self.answer(500, 'TypeError: undefined')",
        "self.answer(202)",
        "self.answer(406)",
        "self.error(body, -32000, 'Bad Request: Server not initialized')",
        "self.result(body, {})",
        "self.hang_up()",
    ],
)
async def test_an_old_server_over_http_that_answers_the_probe_oddly_is_still_connected(
    tmp_path: Path, answer: str
) -> None:
    odd = f"""
def do_POST(self):
    data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
    body = json.loads(data)
    if body.get("method") == "server/discover":
        return {answer}
    connection, self.rfile = self.rfile, io.BytesIO(data)
    try:
        return super().do_POST()
    finally:
        self.rfile = connection
"""
    with http_server_that(tmp_path, odd) as port:
        async with running(at("s", port)) as manager:
            source = manager.servers["s"].source
            assert source.state is ServerState.READY, source.error
            assert (await call(manager, "s")).text == "useful"


async def test_a_call_that_its_caller_gives_up_is_cancelled_at_a_server_over_http(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    odd = f"""
def call(self, body):
    time.sleep(60)

def answer(self, status, text="", kind="text/plain", headers=None):
    if status == 202:
        open({str(heard)!r}, "a").write("x")
    super().answer(status, text, kind, headers)
"""
    with http_server_that(tmp_path, odd) as port:
        async with running(at("s", port)) as manager:
            before = heard.read_text()
            attempt = manager.connection("s").attempt
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, manager, "s")
                await until(lambda: "tools/call" in attempt.wire.pending.values())  # pyright: ignore
                tasks.cancel_scope.cancel()
            await until(lambda: heard.read_text() != before, "notifications/cancelled")

"""Servers that do what real ones were reported to do to other hosts, beyond the modes of the fault servers."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from tests.mcp.running import (
    FAULT_SERVER,
    alive,
    call,
    pid_of,
    python_server,
    running,
    stderr_of,
    until,
)

from mewcode.calls import ErrorKind
from mewcode.config import Paths, load_settings
from mewcode.mcp import ServerDefinition
from mewcode.mcp.launch import definitions_of
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio
READY = ServerState.READY


def server_that(tmp_path: Path, body: str, *modes: str, **more: object) -> ServerDefinition:
    """The fault server with methods of its own: `body` is the inside of a class."""
    script = tmp_path / "server.py"
    lines = "\n".join("    " + line for line in body.strip("\n").splitlines())
    script.write_text(
        f"import json, os, sys, time\nsys.path.insert(0, {str(FAULT_SERVER.parent)!r})\n"
        f"from fault_server import FaultServer\nclass Odd(FaultServer):\n{lines}\nOdd({list(modes)!r}).run()\n"
    )
    return python_server("odd", script, **more)


@pytest.mark.parametrize(
    "before",
    [
        b"Loading plugins...",
        b"\xef\xbb\xbf",
        b"\x1b[32mINFO\x1b[0m {ready} ",
        b"10%\r50%\r100%\r",
        b'{"level":"info","msg":"sending"}',
    ],
    ids=["words", "byte order mark", "colours", "carriage returns", "a log record"],
)
async def test_what_stands_before_a_message_on_its_line_costs_nothing(tmp_path: Path, before: bytes) -> None:
    body = f"""
def raw(self, data):
    super().raw({before!r} + data)
"""
    async with running(server_that(tmp_path, body)) as manager:
        assert manager.servers["odd"].source.state is READY, manager.servers["odd"].source.error
        assert (await call(manager, "odd")).text == "useful"


@pytest.mark.parametrize(
    "line",
    [
        "[error] cannot load the optional plugin",
        '{"level":50,"msg":"request failed, trying again","id":%d,"error":"timeout"}',
        '{"id":%d,"method":"tools/call","elapsed":3}',
        '{"level":"error","error":{"code":"ECONNRESET"}}',
        '{"ts":1,"id":%d,"result":"cache miss"}',
    ],
)
async def test_a_log_line_on_standard_output_is_not_taken_for_the_answer(tmp_path: Path, line: str) -> None:
    body = f"""
def call(self, message):
    line = {line!r}
    self.raw((line % message["id"] if "%d" in line else line).encode() + b"\\n")
    time.sleep(0.05)
    super().call(message)
"""
    async with running(server_that(tmp_path, body)) as manager:
        assert (await call(manager, "odd")).text == "useful"
        notices = "\n".join(manager.connection("odd").voice.notices)
        assert "what is no message" in notices
        assert "response" not in stderr_of(manager, "odd")


async def test_an_error_that_names_no_request_ends_the_one_that_waits(tmp_path: Path) -> None:
    body = """
def call(self, message):
    self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "cannot parse that"}})
"""
    async with running(server_that(tmp_path, body)) as manager:
        result = await call(manager, "odd")
        assert result.error is not None
        assert result.error.kind is ErrorKind.TOOL_ERROR
        assert "cannot parse that" in result.text


@pytest.mark.parametrize(
    "answer",
    [
        "self.reply(message, result={})",
        "self.reply(message, result={'supportedVersions': []})",
        "self.send({'jsonrpc': '2.0', 'id': None, 'error': {'code': -32600, 'message': 'initialize first'}})",
        "self.reply(message, error={'code': -32000, 'message': 'Server not initialized'})",
        "self.reply(message, error={'code': -32602, 'message': 'Invalid request parameters'})",
        "self.reply(message, error={'code': 'oops', 'message': None})",
        "self.raw(b'Traceback (most recent call last):\\n  KeyError: server/discover\\n')",
        "os._exit(0)",
    ],
)
async def test_an_old_server_that_answers_the_probe_oddly_is_still_connected(tmp_path: Path, answer: str) -> None:
    body = f"""
def handle(self, message):
    if message.get("method") == "server/discover":
        {answer}
    else:
        super().handle(message)
"""
    async with running(server_that(tmp_path, body, probe_timeout=2.0)) as manager:
        source = manager.servers["odd"].source
        assert source.state is READY, source.error
        assert source.era == "legacy"
        assert (await call(manager, "odd")).text == "useful"


async def test_calls_at_once_to_a_server_that_died_start_it_once(tmp_path: Path) -> None:
    body = f"""
def run(self):
    with open({str(tmp_path / "starts")!r}, "a") as file:
        file.write(str(os.getpid()) + "\\n")
    super().run()
"""
    async with running(server_that(tmp_path, body)) as manager:
        os.kill(pid_of(manager, "odd"), 9)
        await until(lambda: manager.servers["odd"].connection.session is None)
        texts: list[str] = []

        async def one() -> None:
            texts.append((await call(manager, "odd")).text)

        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(one)
                manager.reconnect("odd")
        assert texts == ["useful"] * 10
        started = [int(line) for line in (tmp_path / "starts").read_text().split()]
        assert len([pid for pid in started if alive(pid)]) == 1


async def test_a_call_that_its_caller_gives_up_is_cancelled_at_the_server_which_goes_on(tmp_path: Path) -> None:
    body = """
calls = 0
def call(self, message):
    Odd.calls += 1
    if Odd.calls > 1:
        super().call(message)
"""
    async with running(server_that(tmp_path, body)) as manager:
        pid = pid_of(manager, "odd")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, manager, "odd")
            await until(lambda: "tools/call" in manager.servers["odd"].connection.attempt.wire.pending.values())
            tasks.cancel_scope.cancel()
        await until(lambda: "notifications/cancelled" in stderr_of(manager, "odd"))
        assert (await call(manager, "odd")).text == "useful"
        assert pid_of(manager, "odd") == pid


async def test_progress_keeps_a_call_alive_but_not_for_ever(tmp_path: Path) -> None:
    body = """
def call(self, message):
    token = message["params"]["_meta"]["progressToken"]
    for step in range(10000):
        time.sleep(0.02)
        params = {"progressToken": token, "progress": step}
        self.send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
"""
    async with running(server_that(tmp_path, body, timeout=0.5, longest_call=1.5)) as manager:
        error = (await call(manager, "odd")).error
        assert error is not None
        assert error.kind is ErrorKind.TIMEOUT
        assert "the longest a call may take" in error.message


async def test_variables_and_defaults_count_in_every_part_of_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_PYTHON", sys.executable)
    monkeypatch.setenv("A_TOKEN", "t0ken")
    monkeypatch.delenv("NOT_SET", raising=False)
    (tmp_path / "where").mkdir()
    paths = Paths.from_environment()
    paths.config.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text(
        "mcp_servers:\n"
        "  local:\n"
        "    command: ${THE_PYTHON}\n"
        f"    args: ['{FAULT_SERVER}', '${{NOT_SET:-ok}}']\n"
        "    env: {TOKEN: '${A_TOKEN}', WITH: 'Bearer ${A_TOKEN}'}\n"
        "    cwd: ${NOT_SET:-where}\n"
        "  remote:\n"
        "    url: https://${NOT_SET:-example.com}/mcp\n"
        "    headers: {Authorization: 'Bearer ${A_TOKEN}'}\n"
    )
    local, remote = definitions_of(load_settings(paths=paths, workspace=tmp_path))
    assert local.command[:2] == (sys.executable, str(FAULT_SERVER))
    assert (local.command[2], local.cwd) == ("ok", str(tmp_path / "where"))
    assert dict(local.env) == {"TOKEN": "t0ken", "WITH": "Bearer t0ken"}
    assert remote.url == "https://example.com/mcp"
    assert dict(remote.headers) == {"Authorization": "Bearer t0ken"}


async def test_the_entry_that_other_programs_wrote_is_expanded_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", "t0ken")
    entry = {"type": "http", "url": "${NOT_SET:-https://example.com/mcp}", "headers": {"X-Key": "${A_TOKEN}"}}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"theirs": entry}}))
    trusting = load_settings(paths=Paths.from_environment(), workspace=tmp_path, is_trusted=lambda *_: True)
    [theirs] = definitions_of(trusting)
    assert (theirs.url, dict(theirs.headers)) == ("https://example.com/mcp", {"X-Key": "t0ken"})

"""Clients that mean harm: nothing of them stays, nothing hangs, and everybody else is served."""

import http.client as http_client
import json
import os
import select
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from starlette.types import Receive, Scope, Send
from tests.server.clients import PATIENCE, Served, http, new_token, serving, settings, text_of

from mewcode.config import Paths
from mewcode.governance.audit.counted import MINUTE, MOST_A_MINUTE
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader
from mewcode.server.http import patience
from mewcode.server.http.listener import Listener, bind, listener_of
from mewcode.server.http.patience import WholeBody
from mewcode.server.options import Address

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TEAM = """
roles: {dev: {tools: [read_file, run_command], read: ['**'], write: ['**']}}
principals: {mallory: {roles: [dev]}, bob: {roles: [dev]}}
sandbox: off
permissions: [{rule: 'run_command(*)', effect: allow}]
limits: {per_minute: 100000, concurrent: 100}
"""
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def modern(tool: str, token: str) -> dict[str, str]:
    names = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return {**ACCEPT, **names, "Authorization": f"Bearer {token}"}


def call(tool: str, arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments, "_meta": META}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def memory_of(served: Served) -> int:
    """Resident bytes."""
    return int(Path(f"/proc/{served.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


async def test_nonsense_is_refused_and_others_are_served(workspace: Path) -> None:
    settings(TEAM)
    mallory, bob = new_token("mallory"), new_token("bob")
    deep = "[" * 200_000 + "]" * 200_000
    head = json.dumps(call("read_file", "?"))
    bodies = {
        "no JSON": "{",
        "not UTF-8": b"\xff\xfe{}",
        "deep": deep,
        "deep arguments": head.replace('"?"', '{"path": ' + deep + "}"),
        "arguments as a list": head.replace('"?"', "[1, 2]"),
        "a number for a path": head.replace('"?"', '{"path": 7}'),
        "no params": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}),
        "a batch": f"[{head}]",
        "no number": head.replace('"id": 1', '"id": {"a": 1}'),
        "almost 4 MiB": head.replace('"?"', json.dumps({"path": "x" * (4_000_000)})),
        "more than 4 MiB": head.replace('"?"', json.dumps({"path": "x" * (5 << 20)})),
        "many names": head.replace('"?"', json.dumps({f"n{number}": number for number in range(100_000)})),
        "a huge number": head.replace('"?"', '{"path": ' + "9" * 100_000 + "}"),
    }
    with serving(workspace) as served:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as attacker, http(served.url, bob) as client:
            await client.call_tool("read_file", {"path": "a.py"})
            before = memory_of(served)
            answers: dict[str, int] = {}

            async def attack(why: str, body: Any) -> None:
                for _ in range(3):
                    response = await attacker.post(served.url, content=body, headers=modern("read_file", mallory))
                    answers[why] = response.status_code
                    if response.status_code == 200:
                        assert '"isError":true' in response.text.replace(" ", "") or '"error"' in response.text, why

            async with anyio.create_task_group() as tasks:
                for why, body in bodies.items():
                    tasks.start_soon(attack, why, body)
                for _ in range(10):
                    assert "hello" in text_of(await client.call_tool("read_file", {"path": "a.py"}))
            grown = memory_of(served) - before
    assert {why: status for why, status in answers.items() if status >= 500} == {}
    assert answers["more than 4 MiB"] == 413
    assert grown < 200 << 20


async def test_guessed_tokens_and_refused_calls_do_not_fill_the_audit_and_are_counted(workspace: Path) -> None:
    settings(TEAM)
    mallory = new_token("mallory")
    beyond = 15
    with serving(workspace) as served:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as attacker:
            for number in range(MOST_A_MINUTE + beyond):
                guess = modern("read_file", f"mew_guess{number}")
                assert (await attacker.post(served.url, json=call("read_file", {}), headers=guess)).status_code == 401
                await attacker.post(served.url, json=call("no_such", {}), headers=modern("no_such", mallory))
        assert served.end() == 0
    url = f"sqlite:///{Paths.from_environment().audit}"
    records = list(AuditReader(url).stream(AuditFilter(events=True)))
    counts = [one["details"] for one in records if one["name"] == "refusals_counted"]
    names = Counter(one["name"] for one in records)
    if max(one["seconds"] for one in counts) >= MINUTE:
        pytest.skip("this machine took longer than the minute that is counted")
    assert (names["token_refused"], names["no_such"]) == (MOST_A_MINUTE, MOST_A_MINUTE)
    told = {(one["what"], one["of"], one["counted"]) for one in counts if one["counted"]}
    assert told == {("token_refused", "127.0.0.1", beyond), ("refused", "mallory", beyond)}


async def test_a_client_that_leaves_takes_its_command_along(workspace: Path) -> None:
    settings(TEAM)
    mallory = new_token("mallory")
    body = call("run_command", {"command": "echo $$ > pid; exec sleep 600"})
    with serving(workspace) as served:
        client = httpx2.AsyncClient(timeout=PATIENCE, trust_env=False)
        async with client as attacker, anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: attacker.post(served.url, json=body, headers=modern("run_command", mallory)))
            with anyio.fail_after(PATIENCE):
                while not (workspace / "pid").exists() or not (workspace / "pid").read_text().strip():
                    await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
        with anyio.fail_after(PATIENCE):
            while Path(f"/proc/{(workspace / 'pid').read_text().strip()}").exists():
                await anyio.sleep(0.05)


async def test_a_flood_of_one_leaves_room_for_the_others(workspace: Path) -> None:
    settings(TEAM + "server: {max_connections: 40}\n")
    mallory, bob = new_token("mallory"), new_token("bob")
    with serving(workspace) as served:
        host, port = served.base.removeprefix("http://").split(":")
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as attacker:
            opened = [
                (
                    await attacker.post(
                        served.url, json=INITIALIZE, headers={**ACCEPT, "Authorization": f"Bearer {mallory}"}
                    )
                ).status_code
                for _ in range(15)
            ]
        assert opened == [200] * 10 + [429] * 5
        # Requests whose bodies never come to an end.
        lines = [f"{name}: {value}" for name, value in modern("read_file", mallory).items()]
        unfinished = "\r\n".join(
            ["POST /mcp HTTP/1.1", f"Host: {host}:{port}", "Content-Length: 1000", *lines, "", "{"]
        )
        hanging = [socket.create_connection((host, int(port))) for _ in range(20)]
        try:
            for one in hanging:
                one.sendall(unfinished.encode())
            answered: list[socket.socket] = []
            with anyio.fail_after(PATIENCE):
                while len(answered) < 10:
                    answered, _, _ = await anyio.to_thread.run_sync(select.select, hanging, [], [], 0.1)
            async with http(served.url, bob) as client:
                assert "hello" in text_of(await client.call_tool("read_file", {"path": "a.py"}))
            answered, _, _ = select.select(hanging, [], [], 0)
            assert [one.recv(12)[9:] for one in answered] == [b"429"] * 10
        finally:
            for one in hanging:
                one.close()


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    message = await receive()
    status = 200 if message["type"] == "http.request" else 499
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"said"})


@contextmanager
def listening(most: int) -> Iterator[tuple[str, int]]:
    """A server with our patience, in a thread."""
    listener: Listener = listener_of(WholeBody(echo), most, None, None)
    place = bind(Address("127.0.0.1", 0))
    ready = threading.Event()
    listener.ready = ready.set
    thread = threading.Thread(target=anyio.run, args=(listener.serve, [place]), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield "127.0.0.1", place.getsockname()[1]
    finally:
        listener.should_exit = True
        thread.join(PATIENCE)


def status_of(address: tuple[str, int]) -> int:
    return httpx2.Client(trust_env=False, timeout=PATIENCE).get(f"http://{address[0]}:{address[1]}/").status_code


def test_heads_and_bodies_that_trickle_in_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "HEAD_WITHIN", 0.5)
    monkeypatch.setattr(patience, "BODY_WITHIN", 0.5)
    with listening(100) as address:
        starts = {
            "nothing": b"",
            "half a head": b"GET / HTTP/1.1\r\nHost: x\r\n",
            "half a body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
        }
        slow = {why: socket.create_connection(address) for why in starts}
        for why, start in starts.items():
            slow[why].sendall(start)
        for why, one in slow.items():
            one.settimeout(PATIENCE)
            said = one.recv(100)  # an end, or an answer: not for ever
            assert said == b"" or why == "half a body"
        assert status_of(address) == 200


def test_idle_connections_make_room_for_new_ones() -> None:
    with listening(20) as address:
        quiet = [socket.create_connection(address) for _ in range(60)]
        assert [status_of(address) for _ in range(5)] == [200] * 5
        for one in quiet:
            one.close()


def test_whoever_is_served_stays_connected_before_strangers_do() -> None:
    with listening(20) as address:
        connection = http_client.HTTPConnection(*address, timeout=PATIENCE)
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"said"
        served = connection.sock
        strangers = [socket.create_connection(address) for _ in range(60)]
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"said"
        assert connection.sock is served, "it had to connect anew"
        for one in strangers:
            one.close()

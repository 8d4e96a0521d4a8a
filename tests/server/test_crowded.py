"""A thousand connections and more, of clients that send nothing, half of something, or leave in the midst of a call:
others are served meanwhile, and nothing of it stays."""

import json
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from tests.server.clients import PATIENCE, Served, http, new_token, serving, settings, text_of
from tests.server.test_hostile import call, memory_of, modern

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="open files and memory are looked up in /proc"),
]

EACH = 320
"""Of each kind: with five kinds more than the thousand that the server takes."""
SLOW = Path(__file__).parent / "slow_server.py"
TEAM = """
roles: {{dev: {{tools: [read_file, 'mcp_*'], read: ['**']}}}}
principals: {{mallory: {{roles: [dev]}}, bob: {{roles: [dev]}}}}
permissions: [{{rule: 'mcp_*(*)', effect: allow}}]
limits: {{per_minute: 100000, concurrent: 1000}}
mcp_servers: {{slow: {{command: {python}, args: ['{slow}', '{folder}']}}}}
"""


def request(served: Served, tool: str, token: str, length: int | None = None) -> bytes:
    """A call as bytes; with `length` one whose body does not come to its end."""
    body = json.dumps(call(tool, {}))
    fields = {**modern(tool, token), "Host": served.base.removeprefix("http://")}
    lines = [f"{name}: {value}" for name, value in fields.items()]
    head = ["POST /mcp HTTP/1.1", *lines, f"Content-Length: {len(body) if length is None else length}", "", body]
    return "\r\n".join(head).encode()


@contextmanager
def connections(served: Served, starts: list[bytes]) -> Iterator[list[socket.socket]]:
    host, port = served.base.removeprefix("http://").split(":")
    opened: list[socket.socket] = []
    try:
        for start in starts:
            opened.append(socket.create_connection((host, int(port)), timeout=PATIENCE))
            opened[-1].sendall(start)
        yield opened
    finally:
        for one in opened:
            one.close()


def files_of(served: Served) -> int:
    return len(list(Path(f"/proc/{served.process.pid}/fd").iterdir()))


async def in_flight(served: Served) -> float:
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
        page = (await requests.get(f"{served.base}/metrics")).text
    found = re.search(r"^mewcode_calls_in_flight (\S+)$", page, re.MULTILINE)
    assert found is not None, page
    return float(found[1])


async def test_over_a_thousand_connections_leave_room_for_others_and_nothing_behind(workspace: Path) -> None:
    settings(TEAM.format(python=sys.executable, slow=SLOW, folder=workspace))
    mallory, bob = new_token("mallory"), new_token("bob")
    with serving(workspace) as served:
        starts = [
            b"",
            b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ",
            request(served, "read_file", mallory, length=100_000),
            request(served, "read_file", "mew_guessed", length=100_000),
            f"GET /healthz HTTP/1.1\r\nHost: {served.base.removeprefix('http://')}\r\n\r\n".encode(),
        ]
        async with http(served.url, bob) as client:
            await client.call_tool("read_file", {"path": "a.py"})
            memory, files = memory_of(served), files_of(served)
            with connections(served, starts * EACH):
                for _ in range(3):
                    assert "hello" in text_of(await client.call_tool("read_file", {"path": "a.py"}))
                    async with http(served.url, bob) as another:
                        assert "hello" in text_of(await another.call_tool("read_file", {"path": "a.py"}))
                assert files_of(served) <= 1_100
                grown = memory_of(served) - memory
            with anyio.fail_after(PATIENCE):
                while files_of(served) > files + 20:
                    await anyio.sleep(0.1)
            assert "hello" in text_of(await client.call_tool("read_file", {"path": "a.py"}))
    assert grown < 100 << 20


async def test_clients_that_leave_in_the_midst_of_a_call_leave_none_running(workspace: Path) -> None:
    settings(TEAM.format(python=sys.executable, slow=SLOW, folder=workspace))
    mallory, bob = new_token("mallory"), new_token("bob")
    with serving(workspace, "--upstreams", "all") as served:
        async with http(served.url, bob) as client:
            assert text_of(await client.call_tool("mcp_slow_steps", {})) == "done"
            with connections(served, [request(served, "mcp_slow_wait", mallory)] * 60), anyio.fail_after(PATIENCE):
                while await in_flight(served) < 60:
                    await anyio.sleep(0.1)
            with anyio.fail_after(PATIENCE):
                while await in_flight(served) > 0:
                    await anyio.sleep(0.1)
            assert text_of(await client.call_tool("mcp_slow_steps", {})) == "done"
    assert (workspace / "cancelled").exists()

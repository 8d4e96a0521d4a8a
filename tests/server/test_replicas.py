"""Two replicas with one Redis and one PostgreSQL behind nginx, as `deploy/` ships it: one server, however it is looked
at; and what happens while Redis or PostgreSQL is away, or one replica is killed."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as t
import pytest
from tests.nginx_service import nginx, nginx_binary
from tests.postgres_service import PostgresServer, has_postgres, postgres_server
from tests.server.clients import PATIENCE, Served, environment, http, kind_of, new_token, serving, settings, text_of
from tests.services import RedisServer, redis_server

from mcp import Client, MCPError
from mewcode.governance.audit.reader import AuditReader

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600), pytest.mark.slow]

SETTINGS = """
roles:
  dev: {{tools: ['*'], read: ['**'], write: ['**']}}
  lead: {{tools: [read_file], approve: true}}
principals:
  alice: {{roles: [dev]}}
  carol: {{roles: [lead]}}
permissions:
  - {{rule: "run_command(until *)", effect: allow}}
  - {{rule: "write_file(*)", effect: allow}}
  - {{rule: "run_command(touch *)", effect: ask}}
sandbox: off
state: {{url: "{redis}"}}
audit: {{url: "{postgres}"}}
server: {{state_key: "one key for both replicas, long enough"}}
limits: {limits}
"""
UNLIMITED = "{per_minute: 1000000, concurrent: 1000}"
WAIT = {"command": "until [ -e go ]; do sleep 0.1; done; echo gone"}


@dataclass
class Replicas:
    """`url` is nginx's, behind which both stand."""

    url: str
    servers: tuple[Served, Served]
    redis: RedisServer
    postgres: PostgresServer
    token: str

    def client(self, url: str | None = None, era: Any = "auto", **more: Any) -> Any:
        return http(url or self.url, self.token, era, **more)

    async def counted(self, tool: str) -> list[float]:
        """How many calls of a tool each has answered well."""
        found: list[float] = []
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
            for server in self.servers:
                lines = (await requests.get(f"{server.base}/metrics")).text.splitlines()
                wanted = f'mewcode_calls_total{{outcome="ok",server="",tool="{tool}"}}'
                found.append(next((float(line.split()[-1]) for line in lines if line.startswith(wanted)), 0.0))
        return found


class Cluster:
    """Starts replicas with limits of the test's own."""

    def __init__(self, stack: ExitStack, folder: Path, workspace: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._workspace = workspace

    def start(self, limits: str = UNLIMITED) -> Replicas:
        enter = self._stack.enter_context
        redis = enter(redis_server(self._folder))
        postgres = enter(postgres_server())
        settings(SETTINGS.format(redis=redis.url, postgres=postgres.url, limits=limits))
        token = new_token("alice")
        first, second = (enter(serving(self._workspace)) for _ in range(2))
        ports = [int(one.base.rpartition(":")[2]) for one in (first, second)]
        balancer = enter(nginx(self._folder, ports))
        return Replicas(f"{balancer}/mcp", (first, second), redis, postgres, token)


@pytest.fixture
def cluster(tmp_path: Path, workspace: Path) -> Iterator[Cluster]:
    nginx_binary()
    if not has_postgres():
        pytest.skip("PostgreSQL's programs are not installed")
    folder = tmp_path / "services"
    folder.mkdir()
    with ExitStack() as stack:
        yield Cluster(stack, folder, workspace)


async def test_calls_a_minute_are_counted_across_both(cluster: Cluster) -> None:
    replicas = cluster.start("{per_minute: 40, concurrent: 1000}")
    kinds: Counter[str | None] = Counter()

    async def call(client: Client) -> None:
        kinds[kind_of(await client.call_tool("read_file", {"path": "a.py"}))] += 1

    began = anyio.current_time()
    async with replicas.client() as client, replicas.client(era="legacy") as other, anyio.create_task_group() as tasks:
        for number in range(90):
            tasks.start_soon(call, client if number % 2 else other)
    if anyio.current_time() - began > 50:
        pytest.skip("this machine took longer than the minute that is counted")
    assert kinds == {None: 40, "rate_limited": 50}
    assert all(count > 0 for count in await replicas.counted("read_file"))


async def test_calls_at_once_are_counted_across_both(cluster: Cluster, workspace: Path) -> None:
    replicas = cluster.start("{per_minute: 1000000, concurrent: 4}")
    results: list[t.CallToolResult] = []

    async def call(client: Client) -> None:
        results.append(await client.call_tool("run_command", {**WAIT, "timeout": 300}))

    async with replicas.client() as client:
        await client.list_tools()
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for _ in range(12):
                    tasks.start_soon(call, client)
                while len(results) < 8:
                    await anyio.sleep(0.05)
                assert {kind_of(one) for one in results} == {"rate_limited"}
                (workspace / "go").touch()
    assert Counter(kind_of(one) for one in results) == {None: 4, "rate_limited": 8}


async def test_an_approval_granted_at_one_is_used_at_the_other(cluster: Cluster, workspace: Path) -> None:
    replicas = cluster.start()
    first, second = replicas.servers
    command = {"command": "touch approved"}
    async with replicas.client(first.url) as client:
        waiting = await client.call_tool("run_command", command)
    approval = (waiting.meta or {})["mewcode/approval"]
    granted = [sys.executable, "-m", "mewcode", "approvals", "grant", approval, "--as", "carol"]
    subprocess.run(granted, env=environment(), check=True, capture_output=True, timeout=PATIENCE)
    async with replicas.client(second.url) as client:
        done = await client.call_tool("run_command", command)
    async with replicas.client(first.url) as client:
        again = await client.call_tool("run_command", command)
    assert not done.is_error, text_of(done)
    assert (workspace / "approved").exists()
    assert again.is_error


async def test_a_question_of_one_is_answered_at_the_other_once(cluster: Cluster, workspace: Path) -> None:
    replicas = cluster.start()
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    headers = {
        "Authorization": f"Bearer {replicas.token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "run_command",
    }
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False, headers=headers) as requests:

        async def call(server: Served, **more: Any) -> dict[str, Any]:
            params = {"name": "run_command", "arguments": {"command": "touch asked"}, "_meta": meta, **more}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            return (await requests.post(server.url, json=body)).json()["result"]

        asked = await call(replicas.servers[0])
        answers = {key: {"action": "accept", "content": {"approve": True}} for key in asked["inputRequests"]}
        given = {"requestState": asked["requestState"], "inputResponses": answers}
        done = await call(replicas.servers[1], **given)
        again = await call(replicas.servers[0], **given)
    assert done["isError"] is False
    assert (workspace / "asked").exists()
    assert again["isError"] is True


async def test_one_is_killed_and_nothing_that_was_accepted_is_without_a_record(cluster: Cluster) -> None:
    replicas = cluster.start()
    accepted: set[str] = set()
    failed: list[str] = []
    after: list[str] = []
    killed = anyio.Event()
    numbers = iter(range(1, 401))

    async def caller(client: Client) -> None:
        for number in numbers:
            path = f"no-such-file-{number}.txt"
            late = killed.is_set()
            try:
                result = await client.call_tool("read_file", {"path": path})
            except MCPError as error:
                failed.append(error.message)
                continue
            assert path in text_of(result)
            accepted.add(path)
            if late:
                after.append(path)
            if len(accepted) == 100:
                replicas.servers[0].process.kill()
                killed.set()

    async with replicas.client() as client:
        await client.list_tools()
        with anyio.fail_after(PATIENCE * 3):
            async with anyio.create_task_group() as tasks:
                for _ in range(32):
                    tasks.start_soon(caller, client)
    with replicas.servers[1].process:
        assert replicas.servers[1].end() == 0
    recorded = {
        one["arguments"]["path"]
        for one in await anyio.to_thread.run_sync(lambda: list(AuditReader(replicas.postgres.url).stream()))
        if one["tool"] == "read_file"
    }
    assert killed.is_set()
    assert accepted <= recorded
    assert len(accepted) + len(failed) == 400
    assert len(failed) <= 64, "more than was in flight was lost"
    assert after, "nobody was served any more"
    assert all("<html" not in message for message in failed)


async def test_without_redis_calls_are_refused_until_it_is_back(cluster: Cluster) -> None:
    replicas = cluster.start()
    async with replicas.client() as client:
        before = await client.call_tool("read_file", {"path": "a.py"})
        replicas.redis.stop()
        during = await client.call_tool("read_file", {"path": "a.py"})
        waiting = await client.call_tool("run_command", {"command": "touch never"})
        ready = await _status(f"{replicas.servers[0].base}/readyz")
        alive = await _status(f"{replicas.servers[0].base}/healthz")
        replicas.redis.start()
        with anyio.fail_after(PATIENCE):
            while (after := await client.call_tool("read_file", {"path": "a.py"})).is_error:
                await anyio.sleep(0.2)
    assert not before.is_error
    assert kind_of(during) in ("rate_limited", "breaker_open", "refused")
    assert "hello" not in text_of(during)
    assert waiting.is_error
    assert (ready, alive) == (503, 200)
    assert "hello" in text_of(after)


async def test_without_redis_calls_run_uncounted_where_the_settings_say_so_but_nothing_is_approved(
    cluster: Cluster, workspace: Path
) -> None:
    replicas = cluster.start("{per_minute: 1000000, concurrent: 1000, without_store: open}")
    async with replicas.client() as client:
        await client.call_tool("read_file", {"path": "a.py"})
        replicas.redis.stop()
        read = await client.call_tool("read_file", {"path": "a.py"})
        asked = await client.call_tool("run_command", {"command": "touch never"})
    assert "hello" in text_of(read)
    assert asked.is_error
    assert not (workspace / "never").exists()


async def test_without_postgresql_nothing_runs_until_it_is_back(cluster: Cluster, workspace: Path) -> None:
    replicas = cluster.start()
    write = {"path": "written.txt", "content": "x"}
    async with replicas.client() as client:
        before = await client.call_tool("read_file", {"path": "a.py"})
        replicas.postgres.stop()
        during = [await client.call_tool("write_file", write), await client.call_tool("read_file", {"path": "a.py"})]
        unwritten = not (workspace / "written.txt").exists()
        with anyio.fail_after(PATIENCE):  # an answer of a moment ago still holds
            while await _status(f"{replicas.servers[0].base}/readyz") != 503:
                await anyio.sleep(0.2)
        alive = await _status(f"{replicas.servers[0].base}/healthz")
        replicas.postgres.start()
        with anyio.fail_after(PATIENCE):
            while (after := await client.call_tool("write_file", write)).is_error:
                await anyio.sleep(0.2)
            while await _status(f"{replicas.servers[0].base}/readyz") != 200:
                await anyio.sleep(0.2)
    assert alive == 200
    assert not before.is_error
    assert all(one.is_error for one in during)
    assert unwritten
    assert "hello" not in text_of(during[1])
    assert not after.is_error
    assert (workspace / "written.txt").exists()


async def _status(url: str) -> int:
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
        return (await requests.get(url)).status_code

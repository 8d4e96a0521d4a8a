"""What one replica has read, and what was approved at it, holds at the others: with a real Redis, and without it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.governance.house import House, allow, ask, build, yes
from tests.governance.tools import RemoteTool
from tests.security.house import call, options, write_settings
from tests.services import RedisServer, redis_server

from mewcode.app.house import open_app
from mewcode.app.limits import build_limits
from mewcode.calls import ErrorKind, Origin, Question, Remember, ToolResult, Trust
from mewcode.config import Paths, load_settings
from mewcode.governance.sessions import Sessions
from mewcode.governance.shared_questions import StoreQuestions
from mewcode.governance.shared_sessions import SharedSessions
from mewcode.state import MemoryStore, Store
from mewcode.state.redis_store import RedisStore
from mewcode.state.store import StoreUnavailableError
from mewcode.tools.search.shared_discovered import SharedDiscoveredTools

pytestmark = pytest.mark.anyio
KEPT_FOR = 1_800.0
RULES = [allow("mcp_*(*)"), allow("run_command(touch *)"), allow("read_file(*)")]
TOUCH = {"command": "touch a"}
WITHIN = 60.0
"""Seconds, on a loaded machine."""


def replica(workspace: Path, store: Store, rules: Any = RULES, **more: Any) -> House:
    tools = [RemoteTool("web", "fetch"), RemoteTool("mail", "send")]
    house = build(workspace, rules, tools=tools, questions=StoreQuestions(store), **more)
    house.gate.sessions.shared = SharedSessions(store, KEPT_FOR)
    return house


async def test_what_was_read_at_one_replica_is_asked_about_at_the_other(
    tmp_path: Path, stores: tuple[RedisStore, RedisStore]
) -> None:
    one, other = (replica(tmp_path, store) for store in stores)
    assert isinstance(await other.call("run_command", TOUCH), ToolResult)
    await one.result("mcp_web_fetch")
    asked = await other.question("run_command", TOUCH)
    assert "outside content was read" in asked.reasons[0]
    assert "server web" in asked.reasons[0]
    assert isinstance(await other.call("mcp_mail_send"), Question)
    assert isinstance(await other.call("read_file", {"path": "a"}), ToolResult)
    assert isinstance(await other.call("run_command", TOUCH, session="s2"), ToolResult)


async def test_what_was_approved_for_the_session_holds_at_the_other_until_something_new_is_read(
    tmp_path: Path, stores: tuple[RedisStore, RedisStore]
) -> None:
    rules = [allow("mcp_*(*)"), ask("run_command(touch *)")]
    one, other = (replica(tmp_path, store, rules) for store in stores)
    for house in (one, other):
        assert isinstance(await house.call("run_command", TOUCH), Question)
    await one.result("mcp_web_fetch")
    asked = await one.question("run_command", TOUCH)
    # Asked at one, answered at the other.
    await other.result("run_command", TOUCH, answer=yes(asked, Remember.SESSION))
    for house in (one, other):
        assert isinstance(await house.call("run_command", TOUCH), ToolResult)
        assert isinstance(await house.call("run_command", TOUCH, session="s2"), Question)
    await one.result("mcp_mail_send", answer=yes(await one.question("mcp_mail_send")))
    for house in (one, other):
        assert isinstance(await house.call("run_command", TOUCH), Question), "mail was read after it was approved"


async def test_of_64_readings_at_two_replicas_none_is_lost(
    tmp_path: Path, stores: tuple[RedisStore, RedisStore]
) -> None:
    shared = [SharedSessions(store, KEPT_FOR) for store in stores]
    tools = [RemoteTool(f"server{number}", "read") for number in range(64)]
    houses = [build(tmp_path, RULES, tools=tools) for _ in stores]
    for house, one in zip(houses, shared, strict=True):
        house.gate.sessions.shared = one
    with anyio.fail_after(WITHIN):
        async with anyio.create_task_group() as group:
            for number, tool in enumerate(tools):
                group.start_soon(houses[number % 2].gate.sessions.note, "s1", *_outside(tool.server))
    for house in houses:
        state = await house.gate.sessions.recall("s1")
        assert {server for _, server in state.taint.readings} == {tool.server for tool in tools}


def _outside(server: str) -> tuple[Trust, Origin]:
    return Trust.EXTERNAL, Origin("read", server)


async def test_two_houses_share_where_their_settings_name_a_store(
    tmp_path: Path, server: RedisServer, prefix: str
) -> None:
    write_settings(f"""
        state: {{url: "{server.url}", prefix: "{prefix}", timeout: 30s}}
        sandbox: "off"
        permissions: [{{rule: "run_command(touch *)", effect: allow}}]
    """)
    async with open_app(options(tmp_path)) as one, open_app(options(tmp_path)) as other:
        assert isinstance(await call(other, "run_command", TOUCH), ToolResult)
        await one.gate.sessions.note("s1", *_outside("web"))
        assert isinstance(await call(other, "run_command", TOUCH), Question)
        assert isinstance(await call(other, "run_command", TOUCH, session="s2"), ToolResult)


REPLICA = """
import sys, anyio
from pathlib import Path
from tests.governance.test_shared_sessions import TOUCH, replica
from mewcode.calls import Question
from mewcode.state.redis_store import RedisStore

async def main(url, prefix, workspace):
    house = replica(Path(workspace), RedisStore(url, prefix=prefix, timeout=30))
    for line in sys.stdin:
        tool = line.strip()
        reply = await house.call(tool, TOUCH if tool == "run_command" else {})
        print("asked" if isinstance(reply, Question) else "ran", flush=True)

anyio.run(main, *sys.argv[1:])
"""


def test_two_processes_decide_alike(tmp_path: Path, server: RedisServer, prefix: str) -> None:
    command = [sys.executable, "-c", REPLICA, server.url, prefix, str(tmp_path)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]

    def call(number: int, tool: str) -> str:
        process = processes[number]
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{tool}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    try:
        assert [call(0, "run_command"), call(1, "run_command")] == ["ran", "ran"]
        assert call(0, "mcp_web_fetch") == "ran"
        assert [call(0, "run_command"), call(1, "run_command")] == ["asked", "asked"]
    finally:
        for process in processes:
            process.communicate(timeout=WITHIN)


async def test_without_the_store_what_matters_is_not_run_and_reading_goes_on(tmp_path: Path) -> None:
    with redis_server(tmp_path) as server:
        store = RedisStore(server.url, timeout=5)
        house = replica(tmp_path, store, [*RULES, ask("run_command(mkdir *)")])
        asked = await house.question("run_command", {"command": "mkdir d"})
        await house.result("run_command", {"command": "mkdir d"}, answer=yes(asked, Remember.SESSION))
        assert isinstance(await house.call("run_command", {"command": "mkdir -p d"}), Question)
        server.stop()
        for line in ("touch a", "mkdir d"):
            refused = await house.result("run_command", {"command": line})
            assert refused.error is not None and refused.error.kind is ErrorKind.REFUSED
            assert "nobody can be asked" in refused.text
        assert "what this session has read is not known" in (await house.result("run_command", TOUCH)).text
        (tmp_path / "b").write_text("x")
        assert not (await house.result("read_file", {"path": "b"})).is_error
        assert not (await house.result("run_command", {"command": "ls"})).is_error
        assert not (tmp_path / "a").exists()
        await store.close()


async def test_what_entered_while_the_store_was_away_is_told_at_the_next_call(tmp_path: Path) -> None:
    with redis_server(tmp_path) as server:
        stores = [RedisStore(server.url, timeout=5) for _ in range(2)]
        one, other = (replica(tmp_path, store) for store in stores)
        server.stop()
        await one.gate.sessions.note("s1", *_outside("web"))
        server.start()
        assert isinstance(await one.call("read_file", {"path": "a"}), ToolResult)
        asked = await other.question("run_command", TOUCH)
        assert "server web" in asked.reasons[0]
        for store in stores:
            await store.close()


async def test_what_a_store_has_lost_it_is_told_again(tmp_path: Path, stores: tuple[RedisStore, RedisStore]) -> None:
    one, other = (replica(tmp_path, store) for store in stores)
    await one.result("mcp_web_fetch")
    assert await stores[0].delete("session:s1")
    assert isinstance(await one.call("read_file", {"path": "a"}), ToolResult)
    assert isinstance(await other.call("run_command", TOUCH), Question)


async def test_a_session_is_forgotten_a_while_after_its_last_call_and_no_sooner() -> None:
    now = [0.0]
    store = MemoryStore(lambda: now[0])
    shared = SharedSessions(store, 100.0)
    sessions = Sessions(shared=shared)
    await sessions.note("s1", *_outside("web"))
    sessions.of("s1").sharing.told_at -= 60.0  # as if a while ago
    now[0] = 60.0
    await sessions.recall("s1")
    now[0] = 130.0
    assert (await Sessions(shared=shared).recall("s1")).taint.external() is not None
    now[0] = 300.0
    assert (await Sessions(shared=shared).recall("s1")).taint.external() is None


@pytest.mark.parametrize("text", ["", "{}", "[]", json.dumps({"step": 1, "readings": [["x"]], "approved": {}})])
async def test_what_nobody_can_read_counts_as_unknown(tmp_path: Path, text: str) -> None:
    store = MemoryStore()
    await store.set("session:s1", text)
    house = replica(tmp_path, store)
    with pytest.raises(StoreUnavailableError):
        await house.gate.sessions.recall("s1")
    asked = await house.question("run_command", TOUCH)
    assert "not known" in asked.reasons[0]


async def test_what_is_kept_of_a_session_is_bounded(stores: tuple[RedisStore, RedisStore]) -> None:
    from mewcode.calls import Origin, Trust

    sessions = Sessions(shared=SharedSessions(stores[0], KEPT_FOR))
    state = sessions.of("s1")
    state.approved.update((f"{number:064}", 0) for number in range(5_000))
    await sessions.note("s1", Trust.EXTERNAL, Origin("read", "web", "x" * 1_000_000))
    text = await stores[0].get("session:s1")
    assert text is not None and len(text) < 100_000


@pytest.mark.parametrize("url", [None, "redis://127.0.0.1:1/0"])
def test_alone_a_process_asks_no_store(tmp_path: Path, url: str | None) -> None:
    limits = build_limits(
        load_settings(paths=Paths.from_environment(), workspace=tmp_path, overrides={"state": {"url": url}})
    )
    assert (limits.sessions is None) is (url is None)
    assert isinstance(limits.discovered, SharedDiscoveredTools) is (url is not None)


async def test_a_tool_that_one_replica_has_shown_is_loaded_at_the_other(
    tmp_path: Path, stores: tuple[RedisStore, RedisStore]
) -> None:
    tool = RemoteTool("web", "fetch", deferred=True)
    houses = [
        build(tmp_path, RULES, tools=[tool], discovered=SharedDiscoveredTools(store, KEPT_FOR)) for store in stores
    ]
    shown = await houses[0].result("mcp_web_fetch")
    assert shown.error is not None and shown.error.kind is ErrorKind.NOT_LOADED
    assert (await houses[1].result("mcp_web_fetch")).text == "done"
    other = await houses[1].result("mcp_web_fetch", session="s2")
    assert other.error is not None and other.error.kind is ErrorKind.NOT_LOADED


async def test_without_the_store_a_tool_is_shown_again(tmp_path: Path) -> None:
    with redis_server(tmp_path) as server:
        store = RedisStore(server.url, timeout=5)
        server.stop()
        tool = RemoteTool("web", "fetch", deferred=True)
        house = build(tmp_path, RULES, tools=[tool], discovered=SharedDiscoveredTools(store, KEPT_FOR))
        shown = await house.result("mcp_web_fetch")
        assert shown.error is not None and shown.error.kind is ErrorKind.NOT_LOADED
        assert (await house.result("mcp_web_fetch")).text == "done"
        await store.close()

"""A server of the old era asks in the midst of a call of a 2026-07-28 client: the call waits, and goes on with the
answers. It never runs twice, and whoever comes too late, twice or to the wrong replica is told what is known."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as t
import pytest
from tests.server.clients import PATIENCE, http, kind_of, new_token, serving, settings, stdio, text_of

from mcp import Client, MCPError
from mewcode.calls import SilentChannel
from mewcode.server.gateway import suspensions
from mewcode.server.gateway.suspended import SuspendedCall
from mewcode.server.gateway.suspensions import Suspensions

pytestmark = pytest.mark.anyio

SILENT = SilentChannel()
SCRIPT = Path(__file__).parent / "asking_server.py"
RULES = "trust: {escalate: false}\npermissions: [{rule: 'mcp_*(*)', effect: allow}]\n"
TEAM = "roles: {dev: {tools: ['mcp_*']}}\nprincipals: {alice: {roles: [dev]}, bob: {roles: [dev]}}\n"
ASKED = "permissions: [{rule: 'mcp_*(*)', effect: ask}]\ntrust: {escalate: false}\n"


def upstream(folder: Path, rules: str = RULES) -> str:
    entry = f"{{command: {sys.executable}, args: ['{SCRIPT}', '{folder}'], era: legacy, sampling: true}}"
    return f"{rules}mcp_servers: {{shop: {entry}}}\n"


def log_of(folder: Path) -> list[str]:
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE):
        while not holds():
            await anyio.sleep(0.02)


async def person(context: Any, params: Any) -> t.ElicitResult:
    values = {"approve": True, "many": "three", "colour": "blue"}
    wanted = params.requested_schema["properties"]
    return t.ElicitResult(action="accept", content={name: values[name] for name in wanted})


async def model(context: Any, params: Any) -> t.CreateMessageResult:
    return t.CreateMessageResult(role="assistant", content=t.TextContent(text="four"), model="m")


async def first(client: Client, tool: str = "mcp_shop_order") -> t.InputRequiredResult:
    """The questions that a call stops at."""
    asked = await client.session.call_tool(tool, {}, allow_input_required=True)
    assert isinstance(asked, t.InputRequiredResult), text_of(asked)
    return asked


async def answered(client: Client, asked: t.InputRequiredResult, value: str, tool: str = "mcp_shop_order") -> Any:
    """The same call again, with every field of every question filled in."""
    responses: Any = {
        key: t.ElicitResult(action="accept", content=dict.fromkeys(one.params.requested_schema["properties"], value))
        for key, one in (asked.input_requests or {}).items()
        if isinstance(one, t.ElicitRequest) and isinstance(one.params, t.ElicitRequestFormParams)
    }
    return await client.session.call_tool(
        tool, {}, input_responses=responses, request_state=asked.request_state, allow_input_required=True
    )


async def test_a_call_goes_on_with_the_answers_of_its_client_and_runs_once(workspace: Path) -> None:
    settings(upstream(workspace))
    heard: list[str | None] = []

    async def progress(done: float, total: float | None, note: str | None) -> None:
        heard.append(note)

    both = {"elicitation_callback": person, "sampling_callback": model}
    async with stdio(workspace, "--upstreams", "all", **both) as client:
        order = await client.call_tool("mcp_shop_order", {})
        two = await client.call_tool("mcp_shop_both", {}, progress_callback=progress)
        thought = await client.call_tool("mcp_shop_think", {})
        silent = await client.call_tool("mcp_shop_silent", {})
        await until(lambda: len(heard) == 2)
    assert [text_of(one) for one in (order, two, thought, silent)] == ["three", "three blue", "four", "nothing"]
    assert heard == ["asking for many", "asking for colour"]
    assert [line for line in log_of(workspace) if line.endswith("began")] == [
        f"{name} began" for name in ("order", "both", "think", "silent")
    ]


@pytest.mark.slow
async def test_our_own_question_comes_first(workspace: Path) -> None:
    settings(upstream(workspace, ASKED))
    asked: list[str] = []

    async def noting(context: Any, params: Any) -> t.ElicitResult:
        asked.extend(params.requested_schema["properties"])
        return await person(context, params)

    async with stdio(workspace, "--upstreams", "all", elicitation_callback=noting) as client:
        assert text_of(await client.call_tool("mcp_shop_order", {})) == "three"
    assert asked == ["approve", "many"]


@pytest.mark.slow
async def test_who_can_be_asked_nothing_is_not_asked(workspace: Path) -> None:
    settings(upstream(workspace))
    async with stdio(workspace, "--upstreams", "all", sampling_callback=model) as client:
        assert text_of(await client.call_tool("mcp_shop_order", {})) == "decline"
    async with stdio(workspace, "--upstreams", "all") as client:
        assert text_of(await client.call_tool("mcp_shop_think", {})) == "refused"


@pytest.mark.slow
async def test_answers_are_good_once_for_one_caller_at_the_replica_that_holds_the_call(workspace: Path) -> None:
    key = "a key that both replicas know, long enough"
    settings(upstream(workspace, RULES + TEAM) + f"server: {{state_key: '{key}'}}\n")
    alice, bob = new_token("alice"), new_token("bob")
    options: dict[str, Any] = {"elicitation_callback": person}
    with serving(workspace, "--upstreams", "all") as served, serving(workspace, "--upstreams", "all") as other:
        async with (
            http(served.url, alice, **options) as client,
            http(served.url, bob, **options) as stranger,
            http(other.url, alice, **options) as elsewhere,
        ):
            asked = await first(client)
            with pytest.raises(MCPError, match="Invalid or expired"):
                await answered(stranger, asked, "nine")
            lost = await answered(elsewhere, asked, "nine")
            done = await answered(client, asked, "three")
            again = await answered(client, asked, "nine")
    assert kind_of(lost) == "outcome_unknown"
    assert "Another replica" in text_of(lost)
    assert text_of(done) == "three"
    assert kind_of(again) == "outcome_unknown"
    assert "was not made again" in text_of(again)
    assert log_of(workspace) == ["order began", "order: three"]


@pytest.mark.slow
async def test_the_server_is_told_when_nobody_answers_and_goes_on_once(workspace: Path) -> None:
    settings(upstream(workspace) + "confirmations: {expire_after: 1s}\n")
    async with stdio(workspace, "--upstreams", "all", elicitation_callback=person) as client:
        asked = await first(client)
        await until(lambda: "order: cancel" in log_of(workspace))
        late = await answered(client, asked, "three")
    # Whoever comes while the call still ends has its result, and later on what is remembered of it.
    assert text_of(late) == "cancel" or "it ended without an error" in text_of(late)
    assert log_of(workspace) == ["order began", "order: cancel"]


async def test_who_comes_too_late_is_told_how_the_call_ended() -> None:
    calls = Suspensions(patience=0.01)
    async with anyio.create_task_group() as tasks:
        await tasks.start(calls.run)
        asked = await calls.begin("alice", ask_for_ever, SILENT)
        assert isinstance(asked, t.InputRequiredResult)
        while calls.running:
            await anyio.sleep(0.01)
        late = await calls.resume(t.CallToolRequestParams(name="x", request_state=asked.request_state), SILENT)
        tasks.cancel_scope.cancel()
    assert kind_of(late) == "timeout"
    assert "it ended without an error" in text_of(late)
    assert "was not made again" in text_of(late)


@pytest.mark.slow
async def test_a_client_that_gives_up_between_two_questions_ends_the_call(workspace: Path) -> None:
    settings(upstream(workspace))
    async with stdio(workspace, "--upstreams", "all", elicitation_callback=person) as client:
        asked = await first(client, "mcp_shop_both")
        second = await answered(client, asked, "three", "mcp_shop_both")
        assert isinstance(second, t.InputRequiredResult)
    await until(lambda: len(log_of(workspace)) == 2)
    assert log_of(workspace) == ["both began", "both was cancelled"]


async def ask_for_ever(call: SuspendedCall) -> t.CallToolResult:
    answer = await call.ask(t.ElicitRequest(params=t.ElicitRequestFormParams(message="?", requested_schema={})))
    return t.CallToolResult(content=[t.TextContent(text=str(answer))])


async def test_only_so_many_calls_of_one_principal_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspensions, "MOST_OF_ONE", 2)
    monkeypatch.setattr(suspensions, "MOST", 3)
    calls = Suspensions(patience=600)
    async with anyio.create_task_group() as tasks:
        await tasks.start(calls.run)
        ends = [await calls.begin(name, ask_for_ever, SILENT) for name in ("alice", "alice", "alice", "bob", "carol")]
        waiting = calls.waiting
        tasks.cancel_scope.cancel()
    asked = [isinstance(end, t.InputRequiredResult) for end in ends]
    assert asked == [True, True, False, True, False]
    assert waiting == 3
    assert calls.running == 0


async def test_a_client_that_leaves_while_the_call_runs_cancels_it() -> None:
    calls = Suspensions(patience=600)
    cancelled = anyio.Event()
    began = anyio.Event()

    async def work(call: SuspendedCall) -> t.CallToolResult:
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        raise AssertionError("it sleeps for ever")

    async with anyio.create_task_group() as tasks:
        await tasks.start(calls.run)
        async with anyio.create_task_group() as request:
            request.start_soon(calls.begin, "alice", work, SILENT)
            await began.wait()
            request.cancel_scope.cancel()
        with anyio.fail_after(PATIENCE):
            await cancelled.wait()
        tasks.cancel_scope.cancel()

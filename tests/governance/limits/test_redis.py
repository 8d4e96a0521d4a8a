"""Limits, breakers and questions that replicas share in a real Redis; and what happens when it is away."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.governance.house import ALICE, House, allow, build, yes
from tests.governance.tools import RemoteTool
from tests.services import RedisServer, redis_server

from mewcode.calls import Answer, ErrorKind, Question, ToolCall, ToolResult
from mewcode.governance.limits import Breaker, BreakerRules, BreakerState, Hit, LimitRules
from mewcode.governance.limits.redis_slots import RedisSlots
from mewcode.governance.limits.redis_window import RedisWindow
from mewcode.governance.limits.slots import Slot
from mewcode.governance.questions import Pending
from mewcode.governance.roles import RoleLimits
from mewcode.governance.shared_questions import StoreQuestions
from mewcode.state.redis_store import RedisStore
from mewcode.state.store import StoreUnavailableError

pytestmark = pytest.mark.anyio
SERVER = [allow("mcp_s_*")]
WITHIN = 60.0
"""Seconds, on a loaded machine."""

REPLICA = """
import sys, anyio
from mewcode.governance.limits import Hit
from mewcode.governance.limits.redis_window import RedisWindow
from mewcode.governance.limits.redis_slots import RedisSlots
from mewcode.governance.limits.slots import Slot
from mewcode.state.redis_store import RedisStore

async def count(url, prefix):
    window, admitted = RedisWindow(RedisStore(url, prefix=prefix, timeout=30)), []
    async def one():
        if await window.hit([Hit("a", 40), Hit("b", 1000)]) is None:
            admitted.append(1)
    print("ready", flush=True)
    sys.stdin.readline()
    async with anyio.create_task_group() as group:
        for _ in range(64):
            group.start_soon(one)
    print(len(admitted))

async def hold(url, prefix):
    slots = RedisSlots(RedisStore(url, prefix=prefix), lease=3)
    taken = [await slots.take([Slot("s", 8)], f"replica{number}") for number in range(5)]
    print(sum(taken), flush=True)
    sys.stdin.readline()

anyio.run(globals()[sys.argv[1]], *sys.argv[2:])
"""


def replica(what: str, server: RedisServer, prefix: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", REPLICA, what, server.url, prefix],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_together_let_exactly_as_many_calls_in_as_the_minute_allows(
    server: RedisServer, prefix: str
) -> None:
    replicas = [replica("count", server, prefix) for _ in range(2)]
    for process in replicas:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    admitted = [int(process.communicate("go\n", WITHIN)[0]) for process in replicas]
    assert sum(admitted) == 40


async def test_a_call_that_one_counter_refuses_uses_up_no_other(stores: tuple[RedisStore, RedisStore]) -> None:
    window = RedisWindow(stores[0])
    assert await window.hit([Hit("wide", 3), Hit("narrow", 1)]) is None
    for _ in range(5):
        wait = await window.hit([Hit("wide", 3), Hit("narrow", 1)])
        assert wait is not None and 0 < wait <= 60
    other = RedisWindow(stores[1])
    assert await other.hit([Hit("wide", 3)]) is None
    assert await other.hit([Hit("wide", 3)]) is None
    assert await other.hit([Hit("wide", 3)]) is not None
    assert await window.hit([Hit("never", 0)]) is not None


async def test_the_window_moves(stores: tuple[RedisStore, RedisStore]) -> None:
    window = RedisWindow(stores[0], window=0.3)
    assert await window.hit([Hit("a", 1)]) is None
    with anyio.fail_after(WITHIN):
        while (wait := await window.hit([Hit("a", 1)])) is not None:
            assert 0 < wait <= 0.3
            await anyio.sleep(wait)


async def test_places_are_shared_and_those_of_a_dead_process_come_back(
    server: RedisServer, prefix: str, stores: tuple[RedisStore, RedisStore]
) -> None:
    process = replica("hold", server, prefix)
    assert process.stdout is not None and process.stdout.readline() == "5\n"
    slots, slot = RedisSlots(stores[0]), [Slot("s", 8)]
    assert [await slots.take(slot, f"here{number}") for number in range(3)] == [True] * 3
    process.kill()
    process.wait(WITHIN)
    with anyio.fail_after(WITHIN):
        for number in range(5):
            while not await slots.take(slot, f"late{number}"):
                await anyio.sleep(0.05)
    assert not await slots.take(slot, "one too many")
    await slots.give_back(slot, "late0")
    await slots.give_back(slot, "late0")
    assert await slots.take(slot, "once")
    assert not await slots.take(slot, "twice")


async def test_places_are_taken_together_or_not_at_all(stores: tuple[RedisStore, RedisStore]) -> None:
    slots, wide, narrow = RedisSlots(stores[0]), Slot("wide", 2), Slot("narrow", 1)
    assert await slots.take([wide, narrow], "one")
    assert not await slots.take([wide, narrow], "two")
    assert await slots.take([wide], "three")
    await slots.give_back([wide, narrow], "one")
    assert await slots.take([wide, narrow], "four")


async def test_a_breaker_that_one_replica_opens_is_open_for_the_other(stores: tuple[RedisStore, RedisStore]) -> None:
    rules = BreakerRules(failures=3, open_for=3600)
    one, other = (Breaker(store, rules) for store in stores)
    async with anyio.create_task_group() as group:
        for breaker in (one, other, one):
            group.start_soon(_fail, breaker)
    assert await other.state("s") is BreakerState.OPEN
    assert await one.admit("s") is not None
    hurried = [Breaker(store, BreakerRules(failures=3, open_for=0)) for store in stores]
    trials = [await breaker.admit("s") for breaker in (*hurried, *hurried)]
    assert trials.count(None) == 1, "one call tries, whichever replica it comes through"


async def _fail(breaker: Breaker) -> None:
    await breaker.note("s", failed=True, seconds=1)


async def test_an_answer_counts_once_among_all_replicas(tmp_path: Path, stores: tuple[RedisStore, RedisStore]) -> None:
    houses = [build(tmp_path, questions=StoreQuestions(store)) for store in stores]
    arguments = {"path": "a", "content": "x"}
    asked = await houses[0].question("write_file", arguments)
    replies: list[ToolResult | Question] = []

    async def answer(house: House) -> None:
        replies.append(await house.call("write_file", arguments, answer=yes(asked)))

    async with anyio.create_task_group() as group:
        for number in range(16):
            group.start_soon(answer, houses[number % 2])
    assert sum(isinstance(reply, ToolResult) and not reply.is_error for reply in replies) == 1


async def test_64_callers_at_two_replicas_are_counted_together_and_refused_at_once(
    tmp_path: Path, stores: tuple[RedisStore, RedisStore]
) -> None:
    limits = LimitRules(general=RoleLimits(per_minute=40, concurrent=64))
    tool = RemoteTool("s", "t")
    houses = [
        build(tmp_path, SERVER, tools=[tool], limits=limits, window=RedisWindow(store), slots=RedisSlots(store))
        for store in stores
    ]
    results: list[ToolResult] = []

    async def one(number: int) -> None:
        results.append(await houses[number % 2].result("mcp_s_t", {"n": number}, session=f"s{number}"))

    async with anyio.create_task_group() as group:
        for number in range(64):
            group.start_soon(one, number)
    assert len(tool.calls) == 40
    refused = [result.error for result in results if result.error is not None]
    assert [error.kind for error in refused] == [ErrorKind.RATE_LIMITED] * 24
    assert all(error.retry_after and error.retry_after <= 60 for error in refused)


@pytest.fixture
async def away(tmp_path: Path) -> AsyncIterator[RedisStore]:
    """A store whose server has gone."""
    with redis_server(tmp_path) as server:
        store = RedisStore(server.url, timeout=5)
        await store.ping()
        server.stop()
        yield store
        await store.close()


def _over(store: RedisStore, **more: Any) -> dict[str, Any]:
    return {"window": RedisWindow(store), "slots": RedisSlots(store), "breaker": Breaker(store), **more}


async def test_without_redis_64_callers_are_all_refused_or_all_let_through_as_the_setting_says(
    tmp_path: Path, away: RedisStore
) -> None:
    for is_open in (False, True):
        tool = RemoteTool("s", "t")
        house = build(tmp_path, SERVER, tools=[tool], **_over(away, limits=LimitRules(open_without_store=is_open)))
        with anyio.fail_after(WITHIN):
            async with anyio.create_task_group() as group:
                for number in range(64):
                    group.start_soon(house.gate.call, ToolCall("mcp_s_t", {"n": number}, f"s{number}", ALICE))
        assert len(tool.calls) == (64 if is_open else 0)


@pytest.mark.parametrize("is_open", [False, True])
async def test_without_redis_nothing_is_permitted_that_would_be_asked_about(
    tmp_path: Path, away: RedisStore, is_open: bool
) -> None:
    limits = LimitRules(open_without_store=is_open)
    house = build(tmp_path, **_over(away, limits=limits, questions=StoreQuestions(away)))
    refused = await house.result("write_file", {"path": "a", "content": "x"})
    assert refused.error is not None and refused.error.kind is ErrorKind.REFUSED
    assert "nobody can be asked" in refused.text
    forged = Answer("q_1", "0", allow=True)
    answered = await house.result("write_file", {"path": "a", "content": "x"}, answer=forged)
    assert answered.error is not None and answered.error.kind is ErrorKind.REFUSED
    assert not (tmp_path / "a").exists()
    with pytest.raises(StoreUnavailableError):
        await StoreQuestions(away).put(
            _pending(await build(tmp_path).question("write_file", {"path": "a", "content": "x"}))
        )


def _pending(question: Question) -> Pending:
    return Pending(question)


async def test_what_a_call_did_is_told_though_redis_went_away_meanwhile(tmp_path: Path) -> None:
    with redis_server(tmp_path) as server:
        store = RedisStore(server.url, timeout=5)

        async def work(call: ToolCall) -> ToolResult:
            await anyio.to_thread.run_sync(server.stop)
            return ToolResult.of_text("done")

        house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)], **_over(store))
        assert (await house.result("mcp_s_t")).text == "done"
        await store.close()

"""Limits refuse at once and count exactly; a failing server is left alone."""

from pathlib import Path

import anyio
import pytest
from tests.governance.house import Door, House, allow, build
from tests.governance.tools import RemoteTool

from mewcode.calls import ErrorKind, Question, ToolCall, ToolResult
from mewcode.governance import Bounds, Role, Roles
from mewcode.governance.limits import (
    Breaker,
    BreakerRules,
    BreakerState,
    Hit,
    LimitRules,
    MemorySlots,
    MemoryWindow,
)
from mewcode.governance.limits.slots import Slot
from mewcode.governance.roles import RoleLimits
from mewcode.state.memory_store import MemoryStore
from mewcode.state.store import StoreUnavailableError

pytestmark = pytest.mark.anyio
SERVER = [allow("mcp_s_*")]


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


async def ask_at_once(house: House, callers: int) -> list[ToolResult]:
    results: list[ToolResult] = []

    async def one(number: int) -> None:
        reply = await house.call("mcp_s_t", {"n": number}, session=f"s{number}")
        assert not isinstance(reply, Question)
        results.append(reply)

    async with anyio.create_task_group() as group:
        for number in range(callers):
            group.start_soon(one, number)
    return results


def kinds(results: list[ToolResult]) -> list[ErrorKind]:
    return [result.error.kind for result in results if result.error is not None]


async def test_of_64_callers_exactly_as_many_run_as_the_minute_allows(tmp_path: Path) -> None:
    limits = LimitRules(general=RoleLimits(per_minute=40, concurrent=64))
    tool = RemoteTool("s", "t")
    results = await ask_at_once(build(tmp_path, SERVER, tools=[tool], limits=limits), 64)
    assert len(tool.calls) == 40
    assert kinds(results) == [ErrorKind.RATE_LIMITED] * 24
    assert all(result.error.retry_after and result.error.retry_after <= 60 for result in results if result.error)


async def test_of_64_callers_no_more_than_the_limit_run_at_once_and_the_rest_do_not_wait(tmp_path: Path) -> None:
    release, running = anyio.Event(), 0

    async def work(call: ToolCall) -> ToolResult:
        nonlocal running
        running += 1
        if running == 8:
            release.set()
        await release.wait()
        return ToolResult.of_text("done")

    limits = LimitRules(general=RoleLimits(per_minute=1_000, concurrent=8))
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)], limits=limits)
    results = await ask_at_once(house, 64)
    assert running == 8
    assert kinds(results) == [ErrorKind.RATE_LIMITED] * 56
    assert (await house.result("mcp_s_t", {"n": 99})).text == "done"


@pytest.mark.parametrize("limits", [
    LimitRules(tools={"mcp_s_*": RoleLimits(per_minute=1)}),
    LimitRules(servers={"s": RoleLimits(per_minute=1)}),
])  # fmt: skip
async def test_a_tool_and_a_server_have_limits_over_all_callers(tmp_path: Path, limits: LimitRules) -> None:
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t"), RemoteTool("other", "t")], limits=limits)
    assert (await house.result("mcp_s_t")).text == "done"
    refused = await house.result("mcp_s_t", {"again": True})
    assert kinds([refused]) == [ErrorKind.RATE_LIMITED]
    assert "again in" in refused.text


async def test_a_role_may_have_less(tmp_path: Path) -> None:
    roles = Roles({"dev": Role("dev", limits=RoleLimits(per_minute=1))})
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t")], bounds=Bounds(roles))
    principal = roles.principal("bob", Door.SERVE_HTTP, ["dev"])
    assert not (await house.result("mcp_s_t", principal=principal)).is_error
    assert kinds([await house.result("mcp_s_t", {"n": 2}, principal=principal)]) == [ErrorKind.RATE_LIMITED]


async def test_the_window_moves_and_a_refused_call_does_not_count() -> None:
    clock = Clock()
    window = MemoryWindow(clock)
    hits = [Hit("a", 2), Hit("b", 10)]
    assert await window.hit(hits) is None
    clock.now += 30
    assert await window.hit(hits) is None
    assert await window.hit(hits) == pytest.approx(30)
    clock.now += 30
    assert await window.hit(hits) is None
    assert await window.hit([Hit("b", 2)]) == pytest.approx(30)
    assert await window.hit([Hit("c", 0)]) is not None


async def test_places_are_taken_together_or_not_at_all() -> None:
    slots = MemorySlots()
    wide, narrow = Slot("wide", 2), Slot("narrow", 1)
    assert await slots.take([wide, narrow], "one")
    assert not await slots.take([wide, narrow], "two")
    assert await slots.take([wide], "three")
    await slots.give_back([wide, narrow], "one")
    assert await slots.take([wide, narrow], "four")


async def test_a_breaker_opens_tries_one_call_and_closes() -> None:
    clock, store = Clock(), MemoryStore()
    rules = BreakerRules(failures=3, window=60, open_for=30)
    breaker, replica = Breaker(store, rules, clock), Breaker(store, rules, clock)
    for _ in range(3):
        assert await breaker.admit("s") is None
        await breaker.note("s", failed=True, seconds=1)
    assert await replica.state("s") is BreakerState.OPEN
    assert await replica.admit("s") == pytest.approx(30)
    clock.now += 31
    assert await breaker.state("s") is BreakerState.HALF_OPEN
    assert await replica.admit("s") is None
    assert await breaker.admit("s") is not None
    await replica.note("s", failed=True, seconds=1)
    assert await breaker.state("s") is BreakerState.OPEN
    clock.now += 31
    assert await breaker.admit("s") is None
    await breaker.note("s", failed=False, seconds=1)
    assert await replica.state("s") is BreakerState.CLOSED


async def test_old_failures_are_forgotten_and_slow_calls_count() -> None:
    clock = Clock()
    breaker = Breaker(MemoryStore(), BreakerRules(failures=2, window=10, slow_call=5), clock)
    await breaker.note("s", failed=True, seconds=1)
    clock.now += 11
    await breaker.note("s", failed=True, seconds=1)
    assert await breaker.state("s") is BreakerState.CLOSED
    await breaker.note("s", failed=False, seconds=6)
    assert await breaker.state("s") is BreakerState.OPEN


async def test_an_open_breaker_refuses_at_once_and_says_what_still_works(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        return ToolResult.failed(ErrorKind.SERVER_MISSING, "gone", server="s")

    tool = RemoteTool("s", "t", work)
    house = build(tmp_path, SERVER, tools=[tool], breaker=Breaker(MemoryStore(), BreakerRules(failures=2)))
    for number in range(2):
        await house.result("mcp_s_t", {"n": number})
    refused = await house.result("mcp_s_t", {"n": 3})
    assert kinds([refused]) == [ErrorKind.BREAKER_OPEN]
    assert "What still works: the built-in tools" in refused.text
    assert len(tool.calls) == 2


async def test_a_tool_that_reports_errors_opens_no_breaker(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        return ToolResult.failed(ErrorKind.TOOL_ERROR, "no such issue", server="s")

    breaker = Breaker(MemoryStore(), BreakerRules(failures=1))
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)], breaker=breaker)
    await house.result("mcp_s_t")
    assert await breaker.state("s") is BreakerState.CLOSED


@pytest.mark.parametrize("open_without_store", [False, True])
async def test_without_the_shared_counters_calls_are_refused_unless_the_settings_say_otherwise(
    tmp_path: Path, open_without_store: bool
) -> None:
    class Away:
        async def hit(self, hits: list[Hit]) -> float | None:
            raise StoreUnavailableError("state.redis_away", reason="ConnectionError")

    limits = LimitRules(open_without_store=open_without_store)
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t")], limits=limits, window=Away())
    assert (await house.result("mcp_s_t")).is_error is not open_without_store

"""What comes out of the gate when a tool fails, hangs or is cancelled."""

from pathlib import Path

import anyio
import pytest
from tests.governance.house import ALICE, allow, build
from tests.governance.tools import RemoteTool

from mewcode.calls import ErrorKind, ToolCall, ToolResult, Trust
from mewcode.errors import AuditError
from mewcode.governance import MemoryAudit
from mewcode.governance.audit.port import AuditEntry, AuditHandle, Outcome
from mewcode.governance.limits import Deadlines
from mewcode.governance.redaction import Redactor
from mewcode.tools.search import DiscoveredTools

pytestmark = pytest.mark.anyio
SERVER = [allow("mcp_s_*")]


async def test_an_exception_of_a_tool_gives_nothing_of_its_insides_away(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        raise ValueError("the database password is hunter22")

    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)])
    result = await house.result("mcp_s_t")
    assert result.error is not None
    assert result.error.kind is ErrorKind.INTERNAL
    assert "hunter22" not in result.text


async def test_a_deadline_of_the_settings_ends_a_call(tmp_path: Path) -> None:
    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", _forever)], deadlines=Deadlines({"mcp_s_*": 0.05}))
    result = await house.result("mcp_s_t")
    assert result.error is not None
    assert result.error.kind is ErrorKind.TIMEOUT
    assert house.audit.records[-1].end is not None
    assert house.audit.records[-1].end.outcome is Outcome.TIMEOUT


async def test_progress_restarts_the_deadline(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        for step in range(8):
            await anyio.sleep(0.25)
            await call.channel.progress(step, 8, None)
        return ToolResult.of_text("done")

    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)], deadlines=Deadlines({"mcp_s_*": 1.5}))
    assert (await house.result("mcp_s_t")).text == "done"


async def test_cancellation_passes_through_and_is_recorded(tmp_path: Path) -> None:
    began, undone = anyio.Event(), anyio.Event()

    async def work(call: ToolCall) -> ToolResult:
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            undone.set()
        raise AssertionError

    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)])
    async with anyio.create_task_group() as group:
        group.start_soon(house.call, "mcp_s_t")
        await began.wait()
        group.cancel_scope.cancel()
    assert undone.is_set()
    assert house.audit.records[-1].end is not None
    assert house.audit.records[-1].end.outcome is Outcome.CANCELLED


async def test_nothing_runs_that_cannot_be_recorded(tmp_path: Path) -> None:
    class FullDisk(MemoryAudit):
        async def begin(self, entry: AuditEntry) -> AuditHandle:
            raise AuditError("audit.cannot_write", place="audit.db", why="disk full")

    tool = RemoteTool("s", "t")
    house = build(tmp_path, SERVER, tools=[tool], audit=FullDisk())
    assert (await house.result("mcp_s_t")).is_error
    assert tool.calls == []


async def test_every_call_leaves_a_record_before_it_acts(tmp_path: Path) -> None:
    seen: list[int] = []

    async def work(call: ToolCall) -> ToolResult:
        seen.append(len(house.audit.records))
        return ToolResult.of_text("done")

    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)])
    await house.result("mcp_s_t", {"a": 1})
    await house.result("nope")
    assert seen == [1]
    entry = house.audit.records[0].entry
    assert (entry.effect, entry.rule, entry.server, entry.principal) == ("allow", "mcp_s_*", "s", "alice")
    assert entry.policy_hash == house.gate.policy.hash
    assert house.audit.records[1].end is not None
    assert house.audit.records[1].end.outcome is Outcome.REFUSED


async def test_a_deferred_tool_that_was_never_loaded_is_answered_with_its_schema(tmp_path: Path) -> None:
    tool = RemoteTool("s", "t", parameters={"type": "object", "properties": {"city": {}}}, deferred=True)
    house = build(tmp_path, SERVER, tools=[tool], discovered=DiscoveredTools())
    first = await house.result("mcp_s_t")
    assert first.error is not None
    assert first.error.kind is ErrorKind.NOT_LOADED
    assert '"city"' in first.text
    assert (await house.result("mcp_s_t")).text == "done"


async def test_results_are_redacted_labelled_and_capped(tmp_path: Path) -> None:
    async def work(call: ToolCall) -> ToolResult:
        return ToolResult.of_text(
            "s3cret-value " + "x" * (9 << 20), structured={"key": "s3cret-value"}, trust=Trust.OWN
        )

    house = build(tmp_path, SERVER, tools=[RemoteTool("s", "t", work)], redactor=Redactor(["s3cret-value"]))
    result = await house.result("mcp_s_t")
    assert "s3cret-value" not in result.text
    assert result.structured == {"key": "[redacted]"}
    assert result.trust is Trust.EXTERNAL
    assert result.truncated
    assert len(result.text) < 9 << 20


async def _forever(call: ToolCall) -> ToolResult:
    await anyio.sleep_forever()
    raise AssertionError(ALICE)

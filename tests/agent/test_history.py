"""The history is valid, and what is saved is what is in memory, whatever goes wrong."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessagesTypeAdapter
from tests.agent.house import House, SmallTool
from tests.agent.scripted import Reply, ScriptedModel
from tests.agent.validity import assert_valid

from mewcode.agent import Limits, ToolCallStarted
from mewcode.agent.conversation import Conversation
from mewcode.agent.journal import read_records
from mewcode.calls import ErrorKind, ToolCall, ToolResult
from mewcode.errors import ModelError
from mewcode.models import Usage

ARGUMENTS = st.sampled_from(['{"value": "x"}', {"value": "y"}, "{broken", "[1]", "", "null"])
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["look", "change", "fail", "hang", "no such tool"]),
        ARGUMENTS,
        st.sampled_from(["a", "b", "", "a b/ü", "c" * 90]),
    ),
    max_size=4,
)
REPLIES = st.builds(
    Reply,
    text=st.sampled_from(["", "some text", "\x1b[31mred"]),
    calls=CALLS,
    finish=st.sampled_from(["stop", "tool_call", "length", "content_filter", "odd"]),
    usage=st.builds(Usage, st.integers(0, 4_000), st.integers(0, 100)),
    error=st.sampled_from([None, None, None, ModelError("agent.model_refused", model="m")]),
)
TURNS = st.lists(st.tuples(st.lists(REPLIES, max_size=5), st.booleans()), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TURNS, st.sampled_from([600, 4_000, 100_000]))
def test_any_interleaving_of_faults_leaves_a_valid_history(turns: Any, window: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(_live_through, Path(folder), turns, window)


async def _live_through(folder: Path, turns: Sequence[tuple[list[Reply], bool]], window: int) -> None:
    house = _house(folder)
    session_id = None
    for replies, interrupt in turns:
        model = ScriptedModel(*replies, window=window)
        async with house.agent(model, session_id) as agent:
            session_id = agent.session.id
            await _turn(agent, interrupt)
            memory = agent._workbench.conversation.messages
            assert_valid(memory)
            saved = Conversation.replay(read_records(agent.session.path)).messages
            assert ModelMessagesTypeAdapter.dump_python(saved, mode="json") == ModelMessagesTypeAdapter.dump_python(
                memory, mode="json"
            )
        for request in model.requests:
            assert_valid(request.messages)


async def _turn(agent: Any, interrupt: bool) -> None:
    with anyio.fail_after(60):
        async for event in agent.run("go on", limits=Limits(steps=8)):
            hangs = isinstance(event, ToolCallStarted) and event.tool == "hang" and event.arguments
            if hangs or (interrupt and isinstance(event, ToolCallStarted)):
                agent.interrupt()


def _house(folder: Path) -> House:
    async def fail(call: ToolCall) -> ToolResult:
        return ToolResult.failed(ErrorKind.TOOL_ERROR, "no")

    async def hang(call: ToolCall) -> ToolResult:
        if call.arguments:
            await anyio.sleep_forever()
        return ToolResult.of_text("x" * 3_000)

    house = House(folder)
    house.add(SmallTool("fail", fail))
    house.add(SmallTool("hang", hang))
    return house


@pytest.mark.anyio
async def test_a_call_id_that_comes_again_is_made_a_new_one(tmp_path: Path) -> None:
    house = House(tmp_path)
    model = ScriptedModel(Reply(calls=[("look", {}, "0")]), Reply(calls=[("look", {}, "0"), ("look", {}, "0")]), "ok")
    async with house.agent(model) as agent:
        async for _ in agent.run("go"):
            pass
    assert_valid(model.requests[-1].messages)

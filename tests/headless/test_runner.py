"""A run from task to result, with the agent's own loop and a model that answers from a list."""

import io
import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.agent.asking import question_about
from tests.agent.house import House, SmallTool
from tests.agent.scripted import Reply, ScriptedModel, texts_of

from mewcode.agent import Limits
from mewcode.calls import (
    ErrorKind,
    ToolCall,
    ToolResult,
)
from mewcode.errors import ModelError
from mewcode.headless import (
    AnswerSchema,
    Progress,
    PromptName,
    Run,
    RunHouse,
    RunOptions,
    RunResult,
    RunStatus,
    Signals,
    Task,
    open_output,
)
from mewcode.tools import ServerSource, ServerState, ToolRegistry

pytestmark = pytest.mark.anyio


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


class Ran:
    """A run that is over: its result, its lines, what it wrote to standard error."""

    def __init__(self, result: RunResult, out: str, err: str) -> None:
        self.result = result
        self.out = out
        self.err = err

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


async def run(
    house: House,
    model: ScriptedModel,
    options: RunOptions | None = None,
    *,
    output: str = "stream-json",
    registry: ToolRegistry | None = None,
    signals: Signals | None = None,
) -> Ran:
    registry = ToolRegistry() if registry is None else registry
    for tool in house.tools.values():
        registry.add(tool)
    out, err = io.StringIO(), io.StringIO()
    sink, progress = open_output(output, out), Progress(err, shown=False)
    async with house.agent(model) as agent:
        parts = RunHouse(agent, house.gate, registry, agent.principal, house.workspace, "default")
        result = await Run(parts, options or task("go"), sink, progress, signals or Signals()).run()
    sink.result(result)
    progress.refusals(result.refusals)
    return Ran(result, out.getvalue(), err.getvalue())


def task(text: str, piped: str = "", **more: Any) -> RunOptions:
    return RunOptions(Task(text, piped), more.pop("limits", Limits()), **more)


async def test_a_stream_begins_with_init_and_ends_with_the_result(house: House) -> None:
    ran = await run(house, ScriptedModel(Reply("Looking.", [("look", {"value": "k"}, "id1")]), "All fine."))
    assert [line["type"] for line in ran.lines] == ["init", "text", "tool_call", "tool_result", "text", "result"]
    init, _, call, result, _, end = ran.lines
    assert (init["model"], init["tools"], init["servers"]) == ("test:scripted", ["look", "change"], [])
    assert (call["id"], call["tool"], call["arguments"]) == ("id1", "look", {"value": "k"})
    assert (result["id"], result["ok"], result["text"]) == ("id1", True, "echo k")
    assert (end["status"], end["text"], end["turns"], end["exit_code"]) == ("done", "All fine.", 2, 0)
    assert end["usage"] == {"input_tokens": 200, "output_tokens": 20, "cached_tokens": 0}
    assert end["cost"] == pytest.approx(0.02)
    assert end["session"] == init["session"]


async def test_text_output_is_the_answer_alone_without_terminal_sequences(house: House) -> None:
    ran = await run(
        house, ScriptedModel(Reply("thinking", [("look", {})]), "fine\x1b]0;owned\x07\x1b[2J"), output="text"
    )
    assert ran.out == "fine\n"


async def test_json_output_is_one_document_with_the_servers(house: House) -> None:
    registry = ToolRegistry()
    registry.sources["gone"] = ServerSource("gone", "mcp_gone_", ServerState.FAILED, "exit 1")
    ran = await run(house, ScriptedModel("fine"), output="json", registry=registry)
    document = json.loads(ran.out)
    assert (document["status"], document["text"]) == ("done", "fine")
    assert document["servers"] == [{"name": "gone", "state": "failed", "error": "exit 1", "tools": 0}]


async def test_a_question_is_refused_with_a_reason_for_the_model_and_listed(house: House) -> None:
    house.gate.ask = lambda call, answer: None if answer else question_about(call)
    model = ScriptedModel(Reply(calls=[("change", {})]), "I was not allowed to.")
    ran = await run(house, model)
    assert (ran.result.status, ran.result.exit_code) == (RunStatus.REFUSED, 3)
    question = next(line for line in ran.lines if line["type"] == "question")
    assert (question["tool"], question["answer"]) == ("change", "refused")
    told = texts_of(model.requests[1].messages[-1:])
    assert "nobody to ask" in told
    assert "--allow 'change(*)'" in told
    [refusal] = ran.lines[-1]["refusals"]
    assert refusal["tool"] == "change"
    assert refusal["reason"].endswith("To let it run: --allow 'change(*)'")
    assert "change" in ran.err


async def test_an_earlier_refusal_is_listed_but_does_not_fail_the_run(house: House) -> None:
    house.gate.ask = lambda call, answer: None if answer or call.tool == "look" else question_about(call)
    ran = await run(house, ScriptedModel(Reply(calls=[("change", {})]), Reply(calls=[("look", {})]), "found a way"))
    assert (ran.result.exit_code, len(ran.result.refusals)) == (0, 1)


async def test_a_rate_limit_at_the_end_is_a_limit(house: House) -> None:
    async def limited(call: ToolCall) -> ToolResult:
        return ToolResult.failed(ErrorKind.RATE_LIMITED, "too many calls", retry_after=3.0)

    house.add(SmallTool("look", limited))
    ran = await run(house, ScriptedModel(Reply(calls=[("look", {})]), "could not"))
    assert (ran.result.status, ran.result.exit_code) == (RunStatus.LIMIT, 6)


@pytest.mark.parametrize(
    ("limits", "part"),
    [
        (Limits(steps=1), "--max-turns"),
        (Limits(cost=0.01), "$0.01"),
        (Limits(seconds=0.0), "--max-time"),
    ],
)
async def test_a_limit_ends_the_run_with_6(house: House, limits: Limits, part: str) -> None:
    ran = await run(house, ScriptedModel(Reply(calls=[("look", {})]), "done"), task("go", limits=limits))
    assert ran.result.exit_code == 6
    assert part in (ran.result.error or "")


async def test_a_cost_limit_without_a_known_price_is_an_error_not_a_free_ride(house: House) -> None:
    model = ScriptedModel(Reply(calls=[("look", {})], cost=None), "done")
    ran = await run(house, model, task("go", limits=Limits(cost=1.0)))
    assert ran.result.exit_code == 6
    assert "price is not known" in (ran.result.error or "")


async def test_a_model_that_fails_is_5(house: House) -> None:
    error = ModelError("agent.model_refused", model="m")
    ran = await run(house, ScriptedModel(Reply("half a tho", error=error)))
    assert (ran.result.status, ran.result.exit_code) == (RunStatus.MODEL_ERROR, 5)
    assert ran.lines[-1]["error"] == str(error)


async def test_an_answer_that_does_not_match_the_schema_is_repaired(house: House) -> None:
    schema = AnswerSchema({"type": "object", "required": ["n"]})
    model = ScriptedModel("three", '{"n": 3}')
    ran = await run(house, model, task("count", schema=schema))
    assert (ran.result.exit_code, ran.result.structured) == (0, {"n": 3})
    assert "does not match the JSON Schema" in texts_of(model.requests[1].messages[-1:])


async def test_an_answer_that_never_matches_is_1(house: House) -> None:
    schema = AnswerSchema({"type": "object"})
    ran = await run(house, ScriptedModel("a", "b", "c", "d"), task("count", schema=schema))
    assert (ran.result.status, ran.result.exit_code, ran.result.structured) == (RunStatus.FAILED, 1, None)


async def test_a_required_server_that_is_missing_is_4_before_the_model_is_asked(house: House) -> None:
    registry = ToolRegistry()
    registry.sources["gh"] = ServerSource("gh", "mcp_gh_", ServerState.FAILED, "exit status 127")
    model = ScriptedModel("fine")
    ran = await run(house, model, task("go", required_servers=("gh",)), registry=registry)
    assert (ran.result.exit_code, model.requests) == (4, [])
    assert "exit status 127" in (ran.result.error or "")
    assert (await run(house, model, task("go", required_servers=("nope",)))).result.exit_code == 4


async def test_a_required_server_that_connects_late_is_waited_for(house: House) -> None:
    registry = ToolRegistry()
    source = registry.sources["gh"] = ServerSource("gh", "mcp_gh_", ServerState.CONNECTING)
    async with anyio.create_task_group() as tasks:

        async def connect() -> None:
            await anyio.sleep(0)
            source.move(ServerState.READY)

        tasks.start_soon(connect)
        ran = await run(house, ScriptedModel("fine"), task("go", required_servers=("gh",)), registry=registry)
    assert ran.result.exit_code == 0


async def test_what_is_piped_in_is_marked_as_data_and_kept_whole_in_a_file(house: House) -> None:
    model = ScriptedModel("fine", "fine")
    await run(house, model, task("explain", "line\n"))
    assert "<stdin>\nline\n\n</stdin>" in texts_of(model.requests[0].messages)
    await run(house, model, task("explain", "x" * 100_000 + "end"))
    told = texts_of(model.requests[1].messages)
    saved = next((house.folder / "outputs").rglob("stdin.txt"))
    assert str(saved) in told
    assert saved.read_text() == "x" * 100_000 + "end"
    assert len(told) < 90_000


async def test_a_servers_prompt_is_fetched_through_the_gate_and_becomes_the_task(house: House) -> None:
    async def get_prompt(call: ToolCall) -> ToolResult:
        return ToolResult.of_text(f"Review {call.arguments['arguments']['pr']} with care.")

    house.add(SmallTool("get_prompt", get_prompt))
    model = ScriptedModel("fine")
    ran = await run(house, model, RunOptions(Task(""), Limits(), prompt=PromptName.parse("mcp:gh:review pr=12")))
    assert ran.result.exit_code == 0
    assert house.gate.calls[0].arguments == {"server": "gh", "prompt": "review", "arguments": {"pr": "12"}}
    assert "Review 12 with care." in texts_of(model.requests[0].messages)


async def test_a_signal_interrupts_the_turn_and_names_the_session(house: House) -> None:
    import signal

    signals = Signals()

    async def look(call: ToolCall) -> ToolResult:
        signals.arrive(signal.SIGTERM)
        await anyio.sleep_forever()
        raise AssertionError

    house.add(SmallTool("look", look))
    ran = await run(house, ScriptedModel(Reply(calls=[("look", {})])), signals=signals)
    assert (ran.result.status, ran.result.exit_code) == (RunStatus.TERMINATED, 143)
    assert ran.result.session is not None
    assert ran.result.session in (ran.result.error or "")

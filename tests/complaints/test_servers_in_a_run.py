"""What servers do to a run of the whole program: only the model's endpoint is scripted."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.endpoint import Call, ModelEndpoint, Turn, serve
from tests.headless.whole_house import messages_sent, run_here, write_settings
from tests.mcp.running import alive
from tests.mcp.scripted import command, starts, tool

from mewcode.agent import Limits
from mewcode.calls import ToolCall
from mewcode.mcp.ports import Elicitation, ElicitationAnswer

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ALLOW = ("mcp_*",)


def with_servers(endpoint: ModelEndpoint, folder: Path, more: str = "", **specs: dict[str, Any]) -> None:
    entries = [f"  {name}: {{command: {command(folder, name, **spec)}}}\n" for name, spec in specs.items()]
    write_settings(endpoint, more=f"mcp_servers:\n{''.join(entries)}{more}")


def offered(endpoint: ModelEndpoint, request: int) -> list[str]:
    return [entry["function"]["name"] for entry in endpoint.requests[request].json["tools"]]


def read(endpoint: ModelEndpoint) -> str:
    """All that the model got to read by the end."""
    contents = [message.get("content") or "" for message in endpoint.requests[-1].messages]
    parts = [content if isinstance(content, list) else [{"text": content}] for content in contents]
    return "\n".join(part.get("text", "") for listed in parts for part in listed)


async def test_a_tool_that_appears_during_a_turn_is_found_and_called_in_the_same_turn(tmp_path: Path) -> None:
    begun = [Call("tool_search", {"query": "select:mcp_s_t"}), Call("mcp_s_t")]
    made: list[str] = []

    def model(request: Any) -> Turn:
        if "mcp_s_late" in made:
            return Turn("done")
        loaded = "mcp_s_late" in {entry["function"]["name"] for entry in request.json["tools"]}
        search = Call("tool_search", {"query": "select:mcp_s_late", "limit": 1 + len(made)})
        call = begun[len(made)] if len(made) < len(begun) else Call("mcp_s_late", {"a": "late"}) if loaded else search
        made.append(call.name)
        return Turn(calls=[call])

    with serve(model) as endpoint:
        with_servers(endpoint, tmp_path, "mcp: {semantic_search: false}\n", s={"adds": [tool("late")]})
        ran = await run_here(tmp_path, "go", allow=ALLOW, limits=Limits(steps=40), required_servers=("s",))
    assert ran.result.text == "done"
    assert made.count("mcp_s_late") == 1
    assert "late" in read(endpoint).rpartition("tool_search")[2]


async def test_nobody_waits_for_a_server_that_never_answers_and_the_model_is_told_of_it(tmp_path: Path) -> None:
    hanging = {"hangs": ["initialize", "server/discover"]}
    with serve([Turn("done")]) as endpoint:
        with_servers(endpoint, tmp_path, "mcp: {connect_timeout: 1h}\n", hanging=hanging)
        ran = await run_here(tmp_path, "go")
    assert ran.result.text == "done"
    assert "hanging" in messages_sent(endpoint, 0)
    assert "connecting" in messages_sent(endpoint, 0)
    assert not [pid for pid in starts(tmp_path, "hanging") if alive(pid)]


async def test_servers_that_cannot_be_reached_or_started_end_nothing_and_each_says_why(tmp_path: Path) -> None:
    with serve([Turn(calls=[Call("mcp_closed_t")]), Turn("done")]) as endpoint:
        entries = "  closed: {url: 'http://127.0.0.1:9/mcp'}\n  none: {command: no-such-program}\n"
        write_settings(endpoint, more=f"mcp_servers:\n{entries}")
        ran = await run_here(tmp_path, "go", allow=ALLOW)
    assert (ran.result.text, ran.result.status.value) == ("done", "done")
    assert "Connect" in json.dumps(ran.lines) or "refused" in json.dumps(ran.lines)
    assert "TaskGroup" not in json.dumps(ran.lines)


async def test_a_name_longer_than_providers_take_ends_no_request_and_the_tool_is_called(tmp_path: Path) -> None:
    long = "a_tool_with_a_name_of_sixty_characters_and_some_more_" + "x" * 60
    with serve(
        [lambda request: Turn(calls=[Call("tool_search", {"query": long})]), _call_the_long_one, Turn("done")]
    ) as endpoint:
        with_servers(endpoint, tmp_path, long_server_name={"tools": [tool(long)]})
        ran = await run_here(tmp_path, "go", allow=ALLOW, required_servers=("long_server_name",))
    assert ran.result.text == "done"
    assert all(len(name) <= 64 for at in range(3) for name in offered(endpoint, at))
    assert f'["{long}", {{}}]' in read(endpoint)


def _call_the_long_one(request: Any) -> Turn:
    names = [entry["function"]["name"] for entry in request.json["tools"]]
    [found] = [name for name in names if name.startswith("mcp_long_server_name_")]
    return Turn(calls=[Call(found)])


async def test_in_a_run_a_server_s_tool_needs_a_rule_and_the_refusal_says_which(tmp_path: Path) -> None:
    turns = [Turn(calls=[Call("mcp_s_t", {"a": 1})]), Turn(calls=[Call("mcp_s_t", {"a": 1})]), Turn("done")]
    for allow, served in ((ALLOW, True), ((), False)):
        with serve(turns) as endpoint:
            with_servers(endpoint, tmp_path, s={})
            await run_here(tmp_path, "go", allow=allow, required_servers=("s",))
        assert ('["t", {"a": 1}]' in read(endpoint)) is served, read(endpoint)
        assert served or "--allow" in read(endpoint)


class SlowPerson:
    """Answers a form when the call's deadlines are long over."""

    async def ask(self, request: Elicitation, call: ToolCall | None) -> ElicitationAnswer:
        await anyio.sleep(4)
        return ElicitationAnswer("accept", {"name": "Ada"})


@pytest.mark.parametrize("limit", ["mcp: {timeout: 3s}\n", "limits: {deadlines: {'mcp_s_t': 3s}}\n"])
async def test_the_time_that_a_person_takes_for_a_server_s_form_ends_no_call(tmp_path: Path, limit: str) -> None:
    with serve([Turn(calls=[Call("mcp_s_t")]), Turn(calls=[Call("mcp_s_t")]), Turn("done")]) as endpoint:
        with_servers(endpoint, tmp_path, limit, s={"asks": True})
        await run_here(tmp_path, "go", allow=ALLOW, required_servers=("s",), elicitation=SlowPerson())
    assert '["t", {}]' in read(endpoint)

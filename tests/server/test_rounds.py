"""What upstream servers ask reaches clients of 2026-07-28, and the answers reach the servers, round by round."""

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as t
import pytest
from mcp.client.subscriptions import PromptsListChanged
from tests.server.clients import PATIENCE, settings, stdio, text_of

from mcp import MCPError

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
FIXTURE = f"""
mcp_servers:
  fixture:
    command: {sys.executable}
    args: [-m, tests.conformance.fixture]
    cwd: "{ROOT}"
    sampling: true
trust: {{escalate: false}}
"""
ALLOWED = """
permissions:
  - {rule: "mcp_*(*)", effect: allow}
  - {rule: "get_prompt(*)", effect: allow}
"""
ASKED = "permissions: [{rule: 'mcp_*(*)', effect: ask}]\n"
GATEWAY = ("--upstreams", "fixture", "--prefix", "")


async def person(context: Any, params: Any) -> t.ElicitResult:
    """Approves, and fills in what is asked."""
    values = {"approve": True, "name": "Ada", "color": "blue", "context": "tests"}
    wanted = params.requested_schema["properties"]
    return t.ElicitResult(action="accept", content={name: values[name] for name in wanted})


async def model(context: Any, params: Any) -> t.CreateMessageResult:
    return t.CreateMessageResult(role="assistant", content=t.TextContent(text="Paris"), model="none")


async def test_a_server_asks_twice_and_finds_again_what_it_knew(workspace: Path) -> None:
    settings(FIXTURE + ALLOWED)
    async with stdio(workspace, *GATEWAY, elicitation_callback=person) as client:
        result = await client.call_tool("test_input_required_result_multi_round", {})
    assert text_of(result) == "Ada likes blue."


async def test_our_own_question_loses_nothing_of_what_the_server_was_told(workspace: Path) -> None:
    settings(FIXTURE + ASKED)
    asked: list[str] = []

    async def noting(context: Any, params: Any) -> t.ElicitResult:
        asked.extend(params.requested_schema["properties"])
        return await person(context, params)

    async with stdio(workspace, *GATEWAY, elicitation_callback=noting) as client:
        result = await client.call_tool("test_input_required_result_multi_round", {})
    assert text_of(result) == "Ada likes blue."
    assert asked == ["approve", "name", "approve", "color", "approve"]


async def test_a_prompt_may_ask_as_well(workspace: Path) -> None:
    settings(FIXTURE + ALLOWED)
    async with stdio(workspace, *GATEWAY, elicitation_callback=person) as client:
        prompt = await client.get_prompt("test_input_required_result_prompt")
    assert prompt.messages[0].content.text == "With this context: tests"


async def test_the_client_s_model_answers_where_the_settings_let_the_server_sample(workspace: Path) -> None:
    settings(FIXTURE + ALLOWED)
    async with stdio(workspace, *GATEWAY, sampling_callback=model) as client:
        sampled = await client.call_tool("test_input_required_result_sampling", {})
    settings(FIXTURE.replace("sampling: true", "sampling: false") + ALLOWED)
    async with stdio(workspace, *GATEWAY, sampling_callback=model) as client:
        refused = await client.call_tool("test_input_required_result_sampling", {})
    assert text_of(sampled) == "The model said: Paris"
    assert refused.is_error
    assert "sampling/createMessage, which this client does not take from it" in text_of(refused)


async def test_a_server_sees_what_this_client_can_be_asked_and_no_more(workspace: Path) -> None:
    settings(FIXTURE + ALLOWED)
    async with stdio(workspace, *GATEWAY, elicitation_callback=person) as client:
        with pytest.raises(MCPError) as missing:
            await client.call_tool("test_missing_capability", {})
    async with stdio(workspace, *GATEWAY, sampling_callback=model) as client:
        there = await client.call_tool("test_missing_capability", {})
    assert missing.value.code == t.MISSING_REQUIRED_CLIENT_CAPABILITY
    assert missing.value.data == {"requiredCapabilities": {"sampling": {}}}
    assert text_of(there) == "the client samples"


async def test_clients_hear_that_prompts_of_a_server_changed(workspace: Path) -> None:
    settings(FIXTURE + ALLOWED)
    async with stdio(workspace, *GATEWAY) as client:
        before = [prompt.name for prompt in (await client.list_prompts()).prompts]
        async with client.listen(prompts_list_changed=True) as changes:
            await client.call_tool("test_trigger_prompt_change", {})
            with anyio.fail_after(PATIENCE):
                event = await anext(aiter(changes))
        after = [prompt.name for prompt in (await client.list_prompts(cache_mode="refresh")).prompts]
    assert isinstance(event, PromptsListChanged)
    assert set(after) - set(before) == {"test_dynamic"}

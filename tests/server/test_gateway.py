"""Upstream servers through `mewcode serve`: their tools, resources, prompts and questions, and their failures."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as t
import pytest
from tests.server.clients import ERAS, Shared, http, kind_of, settings, shared, stdio, text_of

pytestmark = pytest.mark.anyio

MODERN = Path(__file__).parents[1] / "mcp" / "modern_server.py"
UPSTREAMS = f"""
mcp_servers:
  notes: {{command: {sys.executable}, args: ["{MODERN}"]}}
  broken: {{command: {sys.executable}, args: ["-c", "raise SystemExit(3)"]}}
trust: {{escalate: false}}
permissions:
  - {{rule: "mcp_*(*)", effect: allow}}
  - {{rule: "read_resource(*)", effect: allow}}
  - {{rule: "get_prompt(*)", effect: allow}}
"""


ROLES = """
roles:
  dev: {tools: [read_file, run_command, search_code, read_resource, get_prompt, "mcp_*"], read: ["**"]}
  reader: {tools: [read_file], read: ["**"]}
principals: {alice: {roles: [dev]}, bob: {roles: [reader]}}
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with shared(tmp_path_factory.mktemp("gateway"), UPSTREAMS + ROLES, "--upstreams", "all") as running:
        (running.workspace / "README.md").write_text("# Work\n")
        yield running


@pytest.fixture(scope="module")
def alice(gateway: Shared) -> str:
    return gateway.token("alice")


@pytest.mark.parametrize("era", ERAS)
async def test_tools_resources_and_prompts_of_an_upstream_are_passed_on(gateway: Shared, alice: str, era: str) -> None:
    async with http(gateway.served.url, alice, era) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        called = await client.call_tool("mcp_notes_t", {})
        resources = [str(one.uri) for one in (await client.list_resources()).resources]
        note = await client.read_resource("note://one")
        readme = await client.read_resource("workspace://work/README.md")
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        prompt = await client.get_prompt("mcp_notes_explain", {"topic": "cats"})
    assert tools == [
        "read_file",
        "run_command",
        "search_code",
        *sorted(f"mcp_notes_{n}" for n in ("add", "ask", "t", "touch")),
    ]
    assert text_of(called) == "useful"
    assert called.meta is not None
    assert called.meta["mewcode/label"]["trust"] == "external"
    assert {"note://one", "workspace://work/README.md"} <= set(resources)
    assert note.contents[0].text == "the first note"
    assert "# Work" in readme.contents[0].text
    assert {"review_change", "analyse_failing_test", "explain_module", "mcp_notes_explain"} <= set(prompts)
    assert prompt.messages[0].content.text == "Explain cats."


async def test_an_empty_prefix_gives_upstream_tools_their_own_names(workspace: Path) -> None:
    settings(UPSTREAMS)
    async with stdio(workspace, "--upstreams", "notes", "--prefix", "") as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("t", {})
    assert {"add", "ask", "t", "touch", "read_file"} <= set(tools)
    assert text_of(result) == "useful"


async def test_a_failing_upstream_takes_only_its_own_tools_and_says_so(gateway: Shared, alice: str) -> None:
    async with http(gateway.served.url, alice) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        gone = await client.call_tool("mcp_broken_anything", {})
    assert "mcp_notes_t" in tools
    assert kind_of(gone) == "server_missing"
    assert "broken" in text_of(gone)


async def test_search_offers_two_tools_instead_of_all_of_the_upstreams(workspace: Path) -> None:
    settings(UPSTREAMS)
    async with stdio(workspace, "--upstreams", "notes", "--discovery", "search") as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("tool_search", {"query": "select:mcp_notes_t"})
        called = await client.call_tool("call_tool", {"name": "mcp_notes_t", "arguments": {}})
    assert tools == ["read_file", "run_command", "search_code", "tool_search", "call_tool"]
    assert "mcp_notes_t" in text_of(found)
    assert text_of(called) == "useful"


async def test_what_an_upstream_asks_reaches_the_person_at_the_client(gateway: Shared, alice: str) -> None:
    async def person(context: Any, params: Any) -> t.ElicitResult:
        return t.ElicitResult(action="accept", content={"name": "Ada"})

    async with http(gateway.served.url, alice, "legacy", elicitation_callback=person) as client:
        result = await client.call_tool("mcp_notes_ask", {})
    assert text_of(result) == "accept: Ada"


async def test_a_role_without_a_server_knows_nothing_of_it(gateway: Shared) -> None:
    async with http(gateway.served.url, gateway.token("bob")) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        resources = [str(one.uri) for one in (await client.list_resources()).resources]
        for name in ("mcp_notes_t", "mcp_broken_anything", "no_such_tool"):
            with pytest.raises(Exception, match=f"Unknown tool: {name}"):
                await client.call_tool(name, {})
    assert tools == ["read_file"]
    assert not any(uri.startswith("note:") for uri in resources)

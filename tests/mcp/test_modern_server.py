"""A server of the 2026-07-28 revision, over stdio and HTTP: changes, questions, resources, prompts, subscriptions."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.mcp.running import PATIENCE, call, python_server, running, until

from mewcode.calls import Principal, ToolCall
from mewcode.mcp import Elicitation, ElicitationAnswer, MCPManager, Ports, ServerDefinition
from mewcode.mcp.client_tools import client_tools
from mewcode.mcp.ports import SilentObserver
from mewcode.mcp.prompts import complete, get_prompt, list_prompts
from mewcode.mcp.resources import list_resources, mentions, read_resource, subscribe

pytestmark = pytest.mark.anyio
MODERN_SERVER = Path(__file__).parent / "modern_server.py"


class Observing(SilentObserver):
    def __init__(self) -> None:
        self.updated: list[tuple[str, str]] = []

    def resource_updated(self, server: str, uri: str) -> None:
        self.updated.append((server, uri))


class Answering:
    """Answers every question the same way, and remembers them."""

    def __init__(self, answer: ElicitationAnswer) -> None:
        self.answer = answer
        self.asked: list[tuple[Elicitation, ToolCall | None]] = []

    async def ask(self, request: Elicitation, call: ToolCall | None) -> ElicitationAnswer:
        self.asked.append((request, call))
        return self.answer


@asynccontextmanager
async def serving(transport: str, ports: Ports | None = None) -> AsyncIterator[MCPManager]:
    """A manager that is connected to the server."""
    if transport == "stdio":
        async with running(python_server("m", MODERN_SERVER), ports=ports) as manager:
            yield manager
        return
    process = subprocess.Popen([sys.executable, MODERN_SERVER, "http"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        definition = ServerDefinition("m", url=url, connect_timeout=PATIENCE, timeout=PATIENCE)
        async with running(definition, ports=ports) as manager:
            yield manager
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_everything_a_modern_server_offers_is_had(transport: str) -> None:
    person = Answering(ElicitationAnswer("accept", {"name": "Ada"}))
    observer = Observing()
    async with serving(transport, Ports(elicitation=person, observer=observer)) as manager:
        connection = manager.connection("m")
        assert manager.servers["m"].source.era == "modern"
        assert (await call(manager, "m")).text == "useful"

        assert (await call(manager, "m", "ask")).text == "accept: Ada"
        request, asking = person.asked[0]
        assert (request.server, request.message) == ("m", "Who are you?")
        assert asking is not None
        assert asking.tool == "mcp_m_ask"

        await call(manager, "m", "add")
        await until(lambda: manager.registry.find("m", "late"), "the new tool")

        [note] = await list_resources(connection, PATIENCE)
        [content] = await read_resource(connection, note.uri, PATIENCE)
        assert content.text == "the first note"
        [prompt] = await list_prompts(connection, PATIENCE)
        assert prompt.arguments[0].required
        [message] = await get_prompt(connection, prompt.name, {"topic": "tests"}, PATIENCE)
        assert (message.role, message.content[0]) == ("user", message.content[0])
        assert "Explain tests." in str(message.content)
        assert await complete(connection, {"name": "explain"}, "topic", "ca", {}, PATIENCE) == ["cats", "cars"]

        await subscribe(connection, "note://one", PATIENCE)

        async def touched() -> bool:
            await call(manager, "m", "touch")
            return ("m", "note://one") in observer.updated

        for _ in range(200):
            if await touched():
                break
        assert ("m", "note://one") in observer.updated


async def test_a_question_that_is_declined_is_answered_so() -> None:
    person = Answering(ElicitationAnswer("decline"))
    async with serving("stdio", Ports(elicitation=person)) as manager:
        assert (await call(manager, "m", "ask")).text == "decline: None"


async def test_instructions_are_cut() -> None:
    async with serving("stdio") as manager:
        text = manager.connection("m").instructions
        assert text.startswith("Be kind.")
        assert len(text.encode()) <= 2_010


async def test_the_tools_for_the_model_list_read_and_prompt() -> None:
    async with serving("stdio") as manager:
        tools = {tool.name: tool for tool in client_tools(manager)}
        assert all(tool.deferred and tool.effects.reads for tool in tools.values())

        async def ask(name: str, **arguments: object) -> str:
            return (await tools[name].execute(ToolCall(name, arguments, "s", Principal("p")))).text

        assert "note://one" in await ask("list_resources")
        assert await ask("read_resource", server="m", uri="note://one") == "the first note"
        assert "explain" in await ask("get_prompt", server="m")
        assert await ask("get_prompt", server="m", prompt="explain", arguments={"topic": "x"}) == "Explain x."
        assert "no MCP server named nobody" in await ask("read_resource", server="nobody", uri="a:b")


def test_resources_are_mentioned_with_their_server() -> None:
    text = "look at @docs:file:///a/b.md, and @git:repo://x; not a@docs:mail or @other:thing"
    assert mentions(text, {"docs", "git"}) == [("docs", "file:///a/b.md"), ("git", "repo://x")]


async def test_a_modern_server_that_is_slow_to_start_is_still_taken_for_modern(tmp_path: Path) -> None:
    script = tmp_path / "slow.sh"
    script.write_text(f'#!/bin/sh\nsleep 1\nexec "{sys.executable}" "{MODERN_SERVER}"\n')
    script.chmod(0o755)
    slow = ServerDefinition("m", (str(script),), connect_timeout=PATIENCE, probe_timeout=0.2)
    async with running(slow) as manager:
        await until(lambda: manager.servers["m"].source.era == "modern", "the new era")

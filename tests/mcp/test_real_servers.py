"""Real servers from PyPI and npm, old builds and new; `tests/servers/install.sh` puts them where they are found."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.running import call, running

from mewcode.calls import ToolCall
from mewcode.mcp import Ports, SamplingAnswer, SamplingRequest, ServerDefinition
from mewcode.mcp.prompts import get_prompt, list_prompts
from mewcode.mcp.resources import list_resources, read_resource
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio
FOLDER = Path(os.environ.get("MEWCODE_TEST_SERVERS") or Path(__file__).parents[2] / ".cache" / "servers")
PATIENCE = 120.0

Launch = Callable[..., ServerDefinition]


def pypi(environment: str, program: str, *args: str, **more: Any) -> ServerDefinition:
    path = FOLDER / environment / "bin" / program
    if not path.exists():
        pytest.skip(f"{program} is not installed in {path.parent}; run tests/servers/install.sh")
    return ServerDefinition("real", (str(path), *args), connect_timeout=PATIENCE, timeout=PATIENCE, **more)


def npm(package: str, *args: str, **more: Any) -> ServerDefinition:
    place = FOLDER / "npm" / "node_modules" / "@modelcontextprotocol" / package / "dist" / "index.js"
    node = shutil.which("node")
    if not place.exists() or node is None:
        pytest.skip(f"{package} is not installed in {FOLDER / 'npm'}; run tests/servers/install.sh")
    return ServerDefinition("real", (node, str(place), *args), connect_timeout=PATIENCE, timeout=PATIENCE, **more)


@pytest.mark.parametrize(("build", "era"), [("new", "modern"), ("old", "legacy")])
async def test_the_time_server_of_both_eras_tells_the_time(build: str, era: str) -> None:
    async with running(pypi(build, "mcp-server-time")) as manager:
        assert manager.servers["real"].source.era == era
        result = await call(manager, "real", "get_current_time", timezone="Europe/Berlin")
        assert "Europe/Berlin" in result.text
        assert not result.is_error
        wrong = await call(manager, "real", "get_current_time", timezone="Nowhere/None")
        assert wrong.is_error


async def test_the_git_server_reads_a_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "new.txt").write_text("x")
    async with running(pypi("new", "mcp-server-git")) as manager:
        assert "new.txt" in (await call(manager, "real", "git_status", repo_path=str(tmp_path))).text


async def test_the_fetch_server_offers_a_tool_and_a_prompt() -> None:
    async with running(pypi("new", "mcp-server-fetch")) as manager:
        assert manager.registry.find("real", "fetch") is not None
        prompts = await list_prompts(manager.connection("real"), PATIENCE)
        assert [prompt.name for prompt in prompts] == ["fetch"]
        assert prompts[0].arguments[0].required


async def test_the_sqlite_server_works_on_a_relative_file_in_a_relative_directory(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    definition = pypi("sqlite", "mcp-server-sqlite", "--db-path", "./data.db", cwd="sub")
    async with running(definition, workspace=tmp_path) as manager:
        await call(manager, "real", "create_table", query="CREATE TABLE t (a INTEGER)")
        await call(manager, "real", "write_query", query="INSERT INTO t VALUES (41)")
        assert "41" in (await call(manager, "real", "read_query", query="SELECT a FROM t")).text
    assert (tmp_path / "sub" / "data.db").exists()


async def test_everything_offers_tools_resources_and_prompts() -> None:
    async with running(npm("server-everything")) as manager:
        assert "Echo: hello" in (await call(manager, "real", "echo", message="hello")).text
        connection = manager.connection("real")
        resources = await list_resources(connection, PATIENCE)
        assert any(one.template for one in resources)
        fixed = next(one for one in resources if not one.template)
        assert await read_resource(connection, fixed.uri, PATIENCE)
        prompts = {prompt.name for prompt in await list_prompts(connection, PATIENCE)}
        assert "simple-prompt" in prompts
        messages = await get_prompt(connection, "simple-prompt", {}, PATIENCE)
        assert messages[0].content


async def test_progress_of_a_long_operation_arrives() -> None:
    heard: list[float] = []

    class Channel:
        async def progress(self, done: float, total: float | None, note: str | None) -> None:
            heard.append(done)

        async def log(self, level: str, text: str) -> None:
            return

        async def output(self, text: str) -> None:
            return

    async with running(npm("server-everything")) as manager:
        tool = "trigger-long-running-operation"
        result = await call(manager, "real", tool, Channel(), duration=1, steps=3)
        assert not result.is_error
        assert heard == sorted(heard)
        assert len(heard) >= 2


async def test_the_filesystem_server_keeps_to_the_folder_it_was_given(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "note.txt").write_text("in here")
    async with running(npm("server-filesystem", str(inside)), workspace=inside) as manager:
        text = (await call(manager, "real", "read_text_file", path=str(inside / "note.txt"))).text
        assert text == "in here"
        assert (await call(manager, "real", "read_text_file", path="/etc/hostname")).is_error


async def test_the_memory_server_remembers(tmp_path: Path) -> None:
    definition = npm("server-memory", env={"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")})
    async with running(definition) as manager:
        entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
        await call(manager, "real", "create_entities", entities=[entity])
        assert "Ada" in (await call(manager, "real", "read_graph")).text


async def test_sequential_thinking_takes_a_thought() -> None:
    async with running(npm("server-sequential-thinking")) as manager:
        thought = {"thought": "one", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
        assert not (await call(manager, "real", "sequentialthinking", **thought)).is_error


async def test_the_github_server_lists_its_tools_with_a_token_that_is_none() -> None:
    async with running(npm("server-github", env={"GITHUB_PERSONAL_ACCESS_TOKEN": "none"})) as manager:
        assert manager.servers["real"].source.state is ServerState.READY
        assert manager.registry.find("real", "create_issue") is not None


async def test_npx_starts_an_installed_server_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    npx = shutil.which("npx")
    if npx is None or not (FOLDER / "npm" / ".installed").exists():
        pytest.skip("npx or the servers of npm are not installed; run tests/servers/install.sh")
    definition = ServerDefinition(
        "real",
        ("npx", "--no-install", "mcp-server-memory"),
        cwd=str(FOLDER / "npm"),
        env={"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")},
        connect_timeout=PATIENCE,
    )
    from tests.mcp.running import alive, pid_of

    from mewcode.mcp.transports.descendants import descendants

    async with running(definition) as manager:
        first = pid_of(manager, "real")
        everyone = {first, *descendants({first})}
        assert len(everyone) > 1
    assert not [pid for pid in everyone if alive(pid)]


async def test_everything_asks_for_the_roots_and_for_an_answer_of_a_model(tmp_path: Path) -> None:
    class Model:
        async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None:
            return SamplingAnswer("seven words of an answer", "test:model")

    definition = npm("server-everything", sampling=True)
    async with running(definition, workspace=tmp_path, ports=Ports(sampling=Model())) as manager:
        sampled = await call(manager, "real", "trigger-sampling-request", prompt="Say something.", maxTokens=20)
        assert "seven words of an answer" in sampled.text
        assert tmp_path.as_uri() in (await call(manager, "real", "get-roots-list")).text

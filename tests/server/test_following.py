"""Following resources: as long as a client does, across new settings, and within bounds."""

import signal
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.clients import PATIENCE, serving, settings
from tests.server.clients import http as connected

from mcp import MCPError
from mewcode.app.house import open_app
from mewcode.app.options import AppOptions
from mewcode.calls import Door, Principal
from mewcode.governance.roles import UNBOUND_ROLE
from mewcode.server.gateway.relay import Relay
from mewcode.server.gateway.resources import Resources
from mewcode.server.watching import Watching

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

MODERN = Path(__file__).parents[1] / "mcp" / "modern_server.py"
NOTES = f"""
mcp_servers: {{notes: {{command: {sys.executable}, args: ["{MODERN}"]}}}}
trust: {{escalate: false}}
permissions: [{{rule: "mcp_*(*)", effect: allow}}, {{rule: "read_resource(*)", effect: allow}}]
"""


async def test_a_resource_of_an_upstream_is_followed_across_new_settings(workspace: Path) -> None:
    settings(NOTES)
    heard: list[str] = []
    note = heard.append
    with serving(workspace, "--no-auth", "--upstreams", "all") as served:
        async with connected(served.url) as client, anyio.create_task_group() as tasks:
            ready = anyio.Event()

            async def listen() -> None:
                async with client.listen(resource_subscriptions=["note://one"]) as changes:
                    ready.set()
                    async for event in changes:
                        note(event.uri)

            async def touched() -> None:
                heard.clear()
                with anyio.fail_after(PATIENCE):
                    while not heard:
                        await client.call_tool("mcp_notes_touch", {})
                        await anyio.sleep(0.1)

            tasks.start_soon(listen)
            await ready.wait()
            await touched()
            said = len(served.said)
            served.process.send_signal(signal.SIGHUP)
            with anyio.fail_after(PATIENCE):
                while not any("read again" in line for line in served.said[said:]):
                    await anyio.sleep(0.05)
            await touched()
            tasks.cancel_scope.cancel()


@pytest.mark.filterwarnings("ignore:resources/subscribe")
async def test_one_client_follows_so_much_and_no_more(workspace: Path) -> None:
    with serving(workspace, "--no-auth") as served:
        async with connected(served.url, era="legacy") as client:
            (workspace / "README.md").write_text("# one")
            with pytest.raises(MCPError):
                await client.subscribe_resource("workspace://work/../../etc/passwd")
            for number in range(500):
                await client.subscribe_resource(f"workspace://work/{number}.md")
            with pytest.raises(MCPError, match="At most 500"):
                await client.subscribe_resource("workspace://work/README.md")


async def test_what_nobody_follows_any_more_is_not_looked_at(workspace: Path) -> None:
    async with open_app(AppOptions(Door.SERVE_STDIO, workspace)) as app, anyio.create_task_group() as tasks:
        watching = Watching(Resources({"work": workspace}), Relay())
        watching.move_to(app)
        person = Principal("me", (UNBOUND_ROLE,), Door.SERVE_STDIO)
        followed = [("workspace://work/a.py", "me")]
        watching.followed = lambda: tuple(followed)
        await watching.watch(app, person, "workspace://work/a.py")
        told: list[str] = []

        async def updated(uri: str, owner: str | None) -> None:
            told.append(uri)

        tasks.start_soon(watching.run, updated)
        (workspace / "a.py").write_text("changed\n")
        await until(lambda: told == ["workspace://work/a.py"])
        assert watching.watched == 1
        followed.clear()
        await until(lambda: watching.watched == 0)
        tasks.cancel_scope.cancel()


async def until(true: Any) -> None:
    with anyio.fail_after(PATIENCE):
        while not true():
            await anyio.sleep(0.02)

"""Upstreams of a gateway that come late or never, change what they offer, or belong to somebody else."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.subscriptions import ToolsListChanged
from tests.mcp.scripted import command, starts, tool
from tests.security.house import options
from tests.server.clients import PATIENCE, settings, stdio, text_of

from mcp import MCPError
from mewcode.app.house import open_app
from mewcode.calls import Door
from mewcode.server.gateway import upstreams as waiting
from mewcode.tools import ServerState

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ALLOW = "permissions: [{rule: 'mcp_*', effect: allow}]\n"


def upstreams(folder: Path, more: str = "", **specs: dict[str, Any]) -> None:
    """Settings with a scripted upstream for each name."""
    entries = [f"  {name}: {{command: {command(folder, name, **spec)}}}\n" for name, spec in specs.items()]
    settings(f"mcp_servers:\n{''.join(entries)}{ALLOW}{more}")


async def listed(client: Any) -> list[str]:
    return [
        entry.name for entry in (await client.list_tools(cache_mode="refresh")).tools if entry.name.startswith("mcp_")
    ]


async def test_clients_hear_that_an_upstream_has_another_tool_and_can_call_it(workspace: Path, tmp_path: Path) -> None:
    upstreams(tmp_path, late={"adds": [tool("more")]})
    async with stdio(workspace, "--upstreams", "late") as client:
        assert await listed(client) == ["mcp_late_t"]
        async with client.listen(tools_list_changed=True) as changes:
            await client.call_tool("mcp_late_t", {})
            with anyio.fail_after(PATIENCE):
                assert isinstance(await anext(aiter(changes)), ToolsListChanged)
        assert await listed(client) == ["mcp_late_more", "mcp_late_t"]
        assert text_of(await client.call_tool("mcp_late_more", {})) == '["more", {}]'


async def test_lists_wait_once_for_an_upstream_that_never_answers_and_start_nothing_anew(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "WAIT", 3.0)
    upstreams(tmp_path, "mcp: {connect_timeout: 1h}\n", good={}, hanging={"hangs": ["initialize", "server/discover"]})
    async with open_app(options(workspace, Door.SERVE_STDIO)) as app:
        with anyio.fail_after(PATIENCE):
            await app.servers.wait_ready("good")
            await waiting.upstreams(app, app.principal)
            with anyio.CancelScope() as scope:
                scope.cancel()  # the first wait of whatever kind would end here
                await app.servers.servers["hanging"].source.wait_settled(waiting.WAIT)
            for _ in range(50):
                await waiting.upstreams(app, app.principal)
        assert not scope.cancelled_caught
        assert app.servers.servers["hanging"].source.state is ServerState.CONNECTING
        assert app.registry.find("good", "t") is not None
    assert (len(starts(tmp_path, "good")), len(starts(tmp_path, "hanging"))) == (1, 1)


async def test_no_other_door_leads_to_the_tools_of_another_role(workspace: Path, tmp_path: Path) -> None:
    roles = "roles:\n  a: {tools: ['mcp_a_*']}\n  b: {tools: ['mcp_b_*']}\n"
    upstreams(tmp_path, roles, a={"tools": [tool("t"), tool("secret")]}, b={})
    async with stdio(workspace, "--upstreams", "all", "--role", "b", "--discovery", "search") as client:
        for name in ("mcp_a_secret", "a/secret", "mcp:a/secret", "secret", "MCP_A_SECRET"):
            await _is_refused(client, name, {})
            await _is_refused(client, "call_tool", {"name": name, "arguments": {}})
        found = text_of(await client.call_tool("tool_search", {"query": "select:mcp_a_secret,mcp_b_t"}))
    assert "mcp_b_t" in found
    assert '"mcp_a_secret"' not in found


async def _is_refused(client: Any, name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(MCPError, match="Unknown tool"):
        await client.call_tool(name, arguments)

"""What operators see of a server: spans, log lines, numbers; and no secret in any of them."""

import json
import os
import re
import sys
from pathlib import Path

import anyio
import httpx2
import pytest
from tests.server.clients import PATIENCE, http, new_token, serving, settings, text_of
from tests.server.collector import attributes, collecting

pytestmark = pytest.mark.anyio

SLOW = Path(__file__).parent / "slow_server.py"
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TEAM = f"""
roles: {{dev: {{tools: ["mcp_*", read_file], read: ['**']}}, lead: {{approve: true}}}}
principals: {{alice: {{roles: [dev]}}, carol: {{roles: [lead]}}}}
trust: {{escalate: false}}
permissions: [{{rule: "mcp_*(*)", effect: allow}}]
mcp_servers:
  slow: {{command: {sys.executable}, args: ["{SLOW}", "."]}}
  broken: {{command: {sys.executable}, args: ["-c", "raise SystemExit(3)"]}}
"""


async def test_a_trace_goes_from_the_client_through_the_server_to_the_upstream(workspace: Path) -> None:
    token = new_token("alice")
    with collecting() as collector:
        settings(TEAM + f"telemetry: {{traces: '{collector.url}'}}\n")
        with serving(workspace, "--upstreams", "all") as served:
            async with http(served.url, token) as client:
                meta = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
                said = text_of(await client.call_tool("mcp_slow_trace", {}, meta=meta))
                await client.call_tool("read_file", {"path": "nowhere.txt"})
            assert served.end() == 0
        log = (Path(os.environ["MEWCODE_HOME"]) / "logs" / "mewcode.log").read_text()
    (span,) = collector.named("tools/call mcp_slow_trace")
    assert span.trace_id.hex() == TRACE
    assert span.parent_span_id.hex() == PARENT
    assert attributes(span)["mcp.method.name"] == "tools/call"
    assert attributes(span)["gen_ai.operation.name"] == "execute_tool"
    assert attributes(span)["gen_ai.tool.name"] == "mcp_slow_trace"
    found = re.fullmatch(rf"00-{TRACE}-([0-9a-f]{{16}})-01", said)
    assert found is not None
    assert found[1] != PARENT
    (failed,) = collector.named("tools/call read_file")
    assert failed.trace_id.hex() != TRACE
    assert attributes(failed)["error.type"] == "tool_error"
    lines = [json.loads(line) for line in log.splitlines()]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    assert token not in log
    assert token not in str(collector.spans)


async def test_the_numbers_say_how_calls_requests_servers_and_breakers_are(workspace: Path) -> None:
    settings(TEAM + "limits: {breaker: {failures: 1, open_for: 600s}}\n")
    alice, carol = new_token("alice"), new_token("carol")
    with serving(workspace, "--upstreams", "all") as served:
        async with http(served.url, alice) as client, httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:

            async def numbers(token: str = "") -> httpx2.Response:
                headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "10.0.0.1"} if token else {}
                return await requests.get(f"{served.base}/metrics", headers=headers)

            await client.call_tool("mcp_slow_steps", {})
            await client.call_tool("mcp_broken_anything", {})
            await requests.post(served.url, json={})
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "mcp_slow_wait", {})
                with anyio.fail_after(PATIENCE):
                    while "mewcode_calls_in_flight 1.0" not in (await numbers()).text:
                        await anyio.sleep(0.05)
                tasks.cancel_scope.cancel()
            with anyio.fail_after(PATIENCE):
                while "mewcode_calls_in_flight 0.0" not in (seen := (await numbers()).text):
                    await anyio.sleep(0.05)
            assert (await numbers(alice)).status_code == 404
            assert (await numbers(carol)).status_code == 200
    for line in (
        'mewcode_calls_total{outcome="ok",server="slow",tool="steps"} 1.0',
        'mewcode_calls_total{outcome="cancelled",server="slow",tool="wait"} 1.0',
        'mewcode_call_seconds_count{server="slow",tool="steps"} 1.0',
        'mewcode_refusals_total{reason="server_missing"} 1.0',
        'mewcode_upstream_state{server="slow",state="ready"} 1.0',
        'mewcode_breaker_state{server="slow",state="closed"} 1.0',
        'mewcode_http_requests_total{method="POST",status="401"} 1.0',
    ):
        assert line in seen, line
    assert "alice" not in seen


async def test_prompts_are_offered_to_whoever_has_their_tools(workspace: Path) -> None:
    settings("""
roles:
  reader: {tools: [read_file, search_code], read: ['**']}
  blind: {tools: ["mcp_*"]}
principals: {alice: {roles: [reader]}, bob: {roles: [blind]}}
""")
    alice, bob = new_token("alice"), new_token("bob")
    with serving(workspace) as served:
        async with http(served.url, alice) as client:
            assert [one.name for one in (await client.list_prompts()).prompts] == ["explain_module"]
            with pytest.raises(Exception, match="Unknown prompt"):
                await client.get_prompt("review_change", {})
            filled = await client.get_prompt("explain_module", {"path": "src/a"})
            assert "Explain src/a" in filled.messages[0].content.text
            (workspace / "README.md").write_text("# one\n")
            uri = "workspace://work/README.md"
            async with client.listen(resource_subscriptions=[uri]) as changes:
                (workspace / "README.md").write_text("# another\n")
                with anyio.fail_after(PATIENCE):
                    async for event in changes:
                        assert event.uri == uri
                        break
        async with http(served.url, bob) as client:
            assert (await client.list_prompts()).prompts == []
            assert (await client.list_resources()).resources == []
            with pytest.raises(Exception, match="not found"):
                async with client.listen(resource_subscriptions=[uri]) as changes:
                    await changes.__anext__()

"""What the gate asks reaches a person: through the client, or through `mewcode approvals`; no answer means no."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as t
import pytest
from tests.server.clients import ERAS, PATIENCE, environment, http, new_token, serving, settings, stdio, text_of

pytestmark = pytest.mark.anyio

REMOVE = {"command": "rm a.py"}
TEAM = """
roles:
  dev: {tools: [run_command, read_file], read: ['**'], write: ['**']}
  lead: {tools: [read_file], approve: true}
principals:
  alice: {roles: [dev]}
  carol: {roles: [lead]}
sandbox: off
"""


class Person:
    """Answers what it is asked, and remembers the questions."""

    def __init__(self, action: Any = "accept", approve: bool = True) -> None:
        self.asked: list[str] = []
        self._result = t.ElicitResult(action=action, content={"approve": approve} if action == "accept" else None)

    async def __call__(self, context: Any, params: Any) -> t.ElicitResult:
        self.asked.append(params.message)
        return self._result


def approvals(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mewcode", "approvals", *arguments]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("era", ERAS)
async def test_a_person_at_the_client_approves_and_confirms_a_risky_call(workspace: Path, era: str) -> None:
    person = Person()
    async with stdio(workspace, era=era, elicitation_callback=person) as client:
        result = await client.call_tool("run_command", REMOVE)
    assert not result.is_error, text_of(result)
    assert not (workspace / "a.py").exists()
    assert any("rm a.py" in question for question in person.asked)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_every_answer_but_yes_is_a_no(workspace: Path, era: str, action: str) -> None:
    person = Person(action, approve=False)
    async with stdio(workspace, era=era, elicitation_callback=person) as client:
        result = await client.call_tool("run_command", REMOVE)
    assert result.is_error
    assert (workspace / "a.py").exists()
    assert len(person.asked) == 1


async def test_another_person_grants_what_a_client_cannot_ask(workspace: Path) -> None:
    settings(TEAM)
    token = new_token("alice")
    with serving(workspace) as served:
        async with http(served.url, token) as client:
            first = await client.call_tool("run_command", REMOVE)
            assert "mewcode approvals grant" in text_of(first)
            waiting = json.loads(approvals("list", "--json").stdout)
            assert [one["principal"] for one in waiting] == ["alice"]
            own = approvals("grant", waiting[0]["id"], "--as", "alice")
            assert own.returncode == 3
            assert (workspace / "a.py").exists()
            assert approvals("grant", waiting[0]["id"], "--as", "carol").returncode == 0
            other = await client.call_tool("run_command", {"command": "rm -r ."})
            assert other.is_error
            result = await client.call_tool("run_command", REMOVE)
    assert not result.is_error, text_of(result)
    assert not (workspace / "a.py").exists()


async def test_what_was_denied_is_not_run(workspace: Path) -> None:
    settings(TEAM)
    token = new_token("alice")
    with serving(workspace) as served:
        async with http(served.url, token) as client:
            await client.call_tool("run_command", REMOVE)
            waiting = json.loads(approvals("list", "--json").stdout)
            assert approvals("deny", waiting[0]["id"], "--as", "carol", "--comment", "not today").returncode == 0
            result = await client.call_tool("run_command", REMOVE)
    assert "not today" in text_of(result)
    assert (workspace / "a.py").exists()


async def test_the_state_of_a_question_is_good_once_for_one_call_of_one_caller(workspace: Path) -> None:
    settings(TEAM + "permissions: [{rule: 'run_command(touch *)', effect: ask}]\n")
    alice, carol = new_token("alice"), new_token("dave", "--role", "dev")
    with serving(workspace) as served:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:

            async def call(token: str, command: str, **more: Any) -> Any:
                meta = {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
                }
                params = {"name": "run_command", "arguments": {"command": command}, "_meta": meta, **more}
                headers = {
                    "Authorization": f"Bearer {token}",
                    "Accept": "application/json, text/event-stream",
                    "MCP-Protocol-Version": "2026-07-28",
                    "Mcp-Method": "tools/call",
                    "Mcp-Name": "run_command",
                }
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
                return (await requests.post(served.url, json=body, headers=headers)).json()

            asked = (await call(alice, "touch one"))["result"]
            assert asked["resultType"] == "input_required"
            key = next(iter(asked["inputRequests"]))
            answer = {
                "requestState": asked["requestState"],
                "inputResponses": {key: {"action": "accept", "content": {"approve": True}}},
            }
            assert "error" in await call(carol, "touch one", **answer)
            assert "error" in await call(alice, "touch two", **answer)
            forged = {**answer, "requestState": asked["requestState"][:-4] + "AAAA"}
            assert "error" in await call(alice, "touch one", **forged)
            assert not (workspace / "one").exists()
            good = await call(alice, "touch one", **answer)
            assert good["result"]["isError"] is False
            assert (workspace / "one").exists()
            again = await call(alice, "touch one", **answer)
            assert again["result"]["isError"] is True

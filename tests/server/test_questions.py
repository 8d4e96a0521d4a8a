"""What the gate asks reaches a person: through the client, or through `mewcode approvals`; no answer means no."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as t
import pytest
from tests.server.clients import (
    ERAS,
    PATIENCE,
    Served,
    Shared,
    environment,
    http,
    new_token,
    serving,
    settings,
    shared,
    stdio,
    text_of,
)

from mewcode.app.loading import load_for
from mewcode.app.options import AppOptions
from mewcode.calls import Decision, Door, Effect, Principal, Question, QuestionKind
from mewcode.config import Paths
from mewcode.errors import RefusedError, UsageError
from mewcode.server import approvals as approvals_module
from mewcode.server.approvals import Approval, ApprovalBook, may_approve
from mewcode.state.memory_store import MemoryStore

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
ASK_TOUCH = "permissions: [{rule: 'run_command(touch *)', effect: ask}]\n"


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


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with shared(tmp_path_factory.mktemp("everybody"), "", "--no-auth") as running:
        yield running


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_every_answer_but_yes_is_a_no(everybody: Shared, era: str, action: str) -> None:
    person = Person(action, approve=False)
    async with http(everybody.served.url, era=era, elicitation_callback=person) as client:
        result = await client.call_tool("run_command", REMOVE)
    assert result.is_error
    assert (everybody.workspace / "a.py").exists()
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


async def modern_call(served: Served, token: str, command: str, **more: Any) -> Any:
    """A call of the 2026-07-28 era, written by hand."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "run_command",
    }
    params = {"name": "run_command", "arguments": {"command": command}, "_meta": meta, **more}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as requests:
        return (await requests.post(served.url, json=body, headers=headers)).json()


def yes_to(asked: Any) -> dict[str, Any]:
    key = next(iter(asked["inputRequests"]))
    responses = {key: {"action": "accept", "content": {"approve": True}}}
    return {"requestState": asked["requestState"], "inputResponses": responses}


async def test_the_state_of_a_question_is_good_once_for_one_call_of_one_caller(workspace: Path) -> None:
    settings(TEAM + ASK_TOUCH)
    alice, dave = new_token("alice"), new_token("dave", "--role", "dev")
    with serving(workspace) as served:
        asked = (await modern_call(served, alice, "touch one"))["result"]
        assert asked["resultType"] == "input_required"
        answer = yes_to(asked)
        assert "error" in await modern_call(served, dave, "touch one", **answer)
        assert "error" in await modern_call(served, alice, "touch two", **answer)
        forged = {**answer, "requestState": asked["requestState"][:-4] + "AAAA"}
        assert "error" in await modern_call(served, alice, "touch one", **forged)
        assert not (workspace / "one").exists()
        good = await modern_call(served, alice, "touch one", **answer)
        assert good["result"]["isError"] is False
        assert (workspace / "one").exists()
        again = await modern_call(served, alice, "touch one", **answer)
        assert again["result"]["isError"] is True


async def test_the_state_of_a_question_ends(workspace: Path) -> None:
    settings(TEAM + ASK_TOUCH + "confirmations: {expire_after: 1s}\n")
    alice = new_token("alice")
    with serving(workspace) as served:
        answer = yes_to((await modern_call(served, alice, "touch one"))["result"])
        await anyio.sleep(2.1)  # whole seconds count
        late = await modern_call(served, alice, "touch one", **answer)
    assert "error" in late or late["result"].get("isError")
    assert not (workspace / "one").exists()


def question(fingerprint: str = "f") -> Question:
    return Question(
        id="q",
        kind=QuestionKind.APPROVAL,
        call_id="c",
        session="s",
        principal="alice",
        tool="run_command",
        server=None,
        action="run touch one",
        details="",
        reasons=("a rule asks",),
        decision=Decision(Effect.ASK, "a rule asks"),
        fingerprint=fingerprint,
        expires_at=0.0,
    )


ALICE = Principal("alice", ("dev",), Door.SERVE_HTTP)


async def asked_in(book: ApprovalBook) -> Approval:
    asked = await book.ask(question(), ALICE)
    assert asked is not None
    return asked


async def test_an_approval_is_good_once_for_one_call_and_not_for_ever() -> None:
    book = ApprovalBook(MemoryStore())
    asked = await asked_in(book)
    await book.decide(asked.id, grant=True, by="carol", comment=None, may=lambda approval: None)
    assert await book.use(question("other")) is None
    used = await book.use(question())
    assert used is not None
    assert (used.decision, used.by) == ("granted", "carol")
    assert await book.use(question()) is None

    book = ApprovalBook(MemoryStore(), good_for=0.01)
    asked = await asked_in(book)
    await anyio.sleep(0.1)
    assert await book.pending() == []
    with pytest.raises(UsageError):
        await book.decide(asked.id, grant=True, by="carol", comment=None, may=lambda approval: None)
    book = ApprovalBook(MemoryStore(), good_for=3)
    asked = await asked_in(book)
    await book.decide(asked.id, grant=True, by="carol", comment=None, may=lambda approval: None)
    await anyio.sleep(3.1)
    assert await book.use(question()) is None


async def test_one_client_does_not_bury_whoever_decides() -> None:
    book = ApprovalBook(MemoryStore())
    for number in range(approvals_module.MOST_WAITING):
        assert await book.ask(question(f"f{number}"), ALICE) is not None
    assert await book.ask(question("one more"), ALICE) is None
    assert await book.ask(question("f0"), ALICE) is not None
    assert await book.ask(question("of bob"), Principal("bob", ("dev",), Door.SERVE_HTTP)) is not None


async def test_two_who_decide_at_once_do_not_both_decide() -> None:
    book = ApprovalBook(MemoryStore())
    asked = await asked_in(book)
    decided: list[str] = []

    async def decide(by: str, grant: bool) -> None:
        with contextlib.suppress(UsageError):
            done = await book.decide(asked.id, grant=grant, by=by, comment=None, may=lambda approval: None)
            decided.append(f"{done.decision} {by}")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(decide, "carol", True)
        tasks.start_soon(decide, "dan", False)
    used = await book.use(question())
    assert used is not None
    assert decided == [f"{used.decision} {used.by}"]


@pytest.mark.parametrize(("who", "may"), [("carol", True), ("alice", False), ("bob", False), ("at the machine", True)])
def test_whoever_has_roles_needs_one_that_approves_and_nobody_approves_himself(
    workspace: Path, who: str, may: bool
) -> None:
    settings(TEAM.replace("  carol:", "  bob: {roles: [dev]}\n  carol:"))
    loaded = load_for(AppOptions(Door.TERMINAL, workspace), Paths.from_environment())
    asked = anyio.run(asked_in, ApprovalBook(MemoryStore()))
    with contextlib.nullcontext() if may else pytest.raises(RefusedError):
        may_approve(loaded, who, asked)

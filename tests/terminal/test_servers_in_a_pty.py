"""A real MCP server behind the screen: its questions, resources, prompts and state."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.endpoint import Call, ModelEndpoint, Turn, serve
from tests.mcp.oauth_server import guarded
from tests.terminal.pty_session import ENTER, ESCAPE, PtySession, running, settings_for

pytestmark = pytest.mark.slow

SERVER = Path(__file__).parents[1] / "mcp" / "modern_server.py"


@contextmanager
def with_server(workspace: Path, turns: Sequence[Turn]) -> Generator[tuple[PtySession, ModelEndpoint], None, None]:
    entry = {"command": sys.executable, "args": [str(SERVER), "stdio"], "tools": {"always_load": ["*"]}}
    rules = [{"rule": rule, "effect": "allow"} for rule in ("mcp_*(*)", "read_resource(*)")]
    settings = f"mcp_servers: {json.dumps({'notes': entry})}\npermissions: {json.dumps(rules)}"
    with serve(turns) as endpoint, running(workspace, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("mcp 1/1")
        yield session, endpoint


def test_a_server_asks_by_a_form_that_names_it_and_gets_the_answer(tmp_path: Path) -> None:
    turns = [Turn(calls=[Call("mcp_notes_ask", {})]), Turn("Thanks.")]
    with with_server(tmp_path, turns) as (session, endpoint):
        session.say("ask me")
        session.wait_for("The MCP server notes asks:", "Who are you?", "name *")
        session.send("x" + "\x7f" + ENTER)
        session.wait_for("This is required.")
        session.send("Ada 王" + ENTER)
        session.wait_for("Send this to notes?")
        session.send(ENTER)
        session.wait_for("Thanks.")
        assert "accept: Ada 王" in str(endpoint.requests[-1].json["messages"])


def test_escape_leaves_a_form(tmp_path: Path) -> None:
    turns = [Turn(calls=[Call("mcp_notes_ask", {})]), Turn("Well then.")]
    with with_server(tmp_path, turns) as (session, endpoint):
        session.say("ask me")
        session.wait_for("Who are you?", "name *")
        session.send(ESCAPE)
        session.wait_for("Well then.")
        assert "cancel" in str(endpoint.requests[-1].json["messages"])


def test_a_resource_is_completed_and_read_through_the_gate(tmp_path: Path) -> None:
    with with_server(tmp_path, [Turn("Read it.")]) as (session, endpoint):
        session.send("look at @note")
        session.wait_for("@notes:note://one")
        session.send("\t")
        session.wait_for("look at @notes:note://one")
        session.send(ENTER + " now" + ENTER)
        session.wait_for("Read it.")
        assert "the first note" in str(endpoint.requests[-1].json["messages"])


def test_mcp_shows_the_server_with_its_tools(tmp_path: Path) -> None:
    with with_server(tmp_path, [Turn("x")]) as (session, _):
        session.say("/mcp")
        session.wait_for("✓ notes", "ready", "tools")
        session.say("/mcp notes")
        session.wait_for("does touch")


def test_a_prompt_is_completed_with_its_arguments_and_their_values(tmp_path: Path) -> None:
    with with_server(tmp_path, [Turn("Explained.")]) as (session, endpoint):
        session.send("/mcp:no")
        session.wait_for("/mcp:notes:explain", "topic=")
        session.send("\t ")
        session.send("topic=c")
        session.wait_for("  cats", "  cars")
        session.send("\t" + ENTER + ENTER)
        session.wait_for("get_prompt", "yes, this once", "\u25b8 y")
        session.send("y")
        session.wait_for("Explained.")
        assert "Explain cats." in str(endpoint.requests[-1].json["messages"])


def test_a_server_that_fails_says_why_shows_its_last_words_and_can_be_tried_again(tmp_path: Path) -> None:
    mark = tmp_path / "mended"
    code = f"import os, sys; sys.exit('no token here') if not os.path.exists({str(mark)!r}) else None; "
    code += f"os.execv(sys.executable, [sys.executable, {str(SERVER)!r}, 'stdio'])"
    entry = {"command": sys.executable, "args": ["-c", code]}
    settings = f"mcp_servers: {json.dumps({'notes': entry})}"
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("named by")
        session.say("/doctor")
        session.wait_for("✗ mcp notes", "no token here")
        session.say("/mcp notes")
        session.wait_for("│ no token here", "Next: /mcp reconnect notes")
        mark.touch()
        session.say("/mcp reconnect notes")
        session.wait_for("mcp 1/1")
        session.say("/mcp disable notes")
        session.wait_for("notes is off for this session.")
        session.say("/mcp enable notes")
        session.wait_for("mcp 1/1")
        session.say("/mcp reconnect nobody")
        session.wait_for("There is no server nobody.")


def test_a_person_logs_in_without_leaving_the_session(tmp_path: Path) -> None:
    browser, page = tmp_path / "browser", tmp_path / "page"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {page}.new; mv {page}.new {page}\n')
    browser.chmod(0o755)
    with guarded() as server, serve([Turn("x")]) as endpoint:
        settings = f"mcp_servers: {{guarded: {{url: '{server.origin}/mcp'}}}}"
        environ = {"BROWSER": str(browser), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
        with running(tmp_path, settings=settings_for(endpoint, settings), environ=environ) as session:
            session.wait_for("named by")
            session.say("/doctor")
            session.wait_for("✗ mcp guarded")
            session.say("/mcp login guarded")
            session.wait_for("Log in on this page", "paste the address")
            while not page.exists():
                session.read()
            answer = httpx.get(page.read_text())
            httpx.get(answer.headers["location"])  # where the browser would be led
            session.wait_for("Logged in to guarded", "mcp 1/1", gone="paste the address")
            session.say("/mcp login guarded")
            session.wait_for("paste the address")
            session.send(ESCAPE)
            session.wait_for("Not logged in to guarded.")


def test_a_servers_request_to_our_model_is_asked_about_and_may_be_refused(tmp_path: Path) -> None:
    asker = SERVER.with_name("asking_server.py")
    entry = {"command": sys.executable, "args": [str(asker)], "sampling": True, "tools": {"always_load": ["*"]}}
    rules = [{"rule": "mcp_*(*)", "effect": "allow"}]
    settings = f"mcp_servers: {json.dumps({'asker': entry})}\npermissions: {json.dumps(rules)}"
    call = Turn(calls=[Call("mcp_asker_sample", {})])
    turns = [call, Turn("Four legs."), Turn("First."), call, Turn("Second.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("mcp 1/1")
        session.say("ask it")
        session.wait_for("sample_model", "How many legs has a cat?", "Esc says no", "\u25b8 y")
        session.send("y")
        session.wait_for("First.")
        assert "Four legs." in str(endpoint.requests[2].json["messages"])
        session.say("ask again")
        session.wait_for("\u25b8 y", "Allow this?")
        session.send(ESCAPE)
        session.wait_for("Second.")
        assert "refused" in str(endpoint.requests[-1].json["messages"])

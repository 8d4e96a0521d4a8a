"""A real MCP server behind the screen: its questions, resources, prompts and state."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.endpoint import Call, ModelEndpoint, Turn, serve
from tests.terminal.pty_session import ENTER, ESCAPE, PtySession, running, settings_for

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

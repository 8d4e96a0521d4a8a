"""What a person sees of a server at work: progress, a form with a field of each kind, a page to visit; and of a job."""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.terminal.pty_session import CTRL_T, ENTER, running, settings_for

pytestmark = pytest.mark.slow

SERVER = Path(__file__).with_name("visible_server.py")
CALENDAR = "Please allow access to your calendar."


def test_progress_a_form_a_page_and_a_job_in_one_session(tmp_path: Path) -> None:
    browser, page, done = tmp_path / "browser", tmp_path / "page", tmp_path / "done"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {page}.new; mv {page}.new {page}\n')
    browser.chmod(0o755)
    both = [Call("mcp_seen_work", {"title": name, "until": str(done)}) for name in ("alpha", "beta")]
    turns = [
        Turn(calls=both), Turn("Both worked."),
        Turn(calls=[Call("mcp_seen_form", {})]), Turn("Form sent."),
        Turn(calls=[Call("mcp_seen_visit", {})]), Turn("Page visited."),
        Turn(calls=[Call("run_command", {"command": "sleep 300", "background": True})]), Turn("It runs."),
    ]  # fmt: skip
    entry = {"command": sys.executable, "args": [str(SERVER)], "tools": {"always_load": ["*"]}}
    rules = [{"rule": rule, "effect": "allow"} for rule in ("mcp_*(*)", "run_command(sleep *)")]
    settings = (
        f"mcp_servers: {json.dumps({'seen': entry})}\npermissions: {json.dumps(rules)}\ntrust: {{escalate: false}}\n"
    )
    settings += "ui: {notifications: desktop}"
    environ = {"BROWSER": str(browser), "TERM_PROGRAM": "iTerm.app"}
    with (
        serve(turns) as endpoint,
        running(tmp_path, settings=settings_for(endpoint, settings), rows=40, environ=environ) as session,
    ):
        session.wait_for("mcp 1/1")
        session.say("work")
        session.wait_for("75% step 3 alpha", "75% step 3 beta")  # side by side
        done.touch()
        session.wait_for("✓ seen: work alpha", "✓ seen: work beta", "Both worked.", gone="Esc interrupts")

        session.say("form")
        session.wait_for("The MCP server seen asks:", "Who shall it be?", "Your name *")
        for typed, shown in (("王", "Between 2 and"), ("小明", "age *"), ("7", "Between 18 and 120"), ("42", "plan")):
            session.send("\x7f" * 4 + typed + ENTER)
            session.wait_for(shown)
        for typed, shown in (
            ("", "Letters"),
            ("y", "mail *"),
            ("nobody", "This is no email"),
            ("", "This is required"),
        ):
            session.send("\x7f" * 8 + typed + ENTER)
            session.wait_for(shown)
        session.send("a@b.cn" + ENTER)
        session.wait_for("Send this to seen?", "小明", "a@b.cn")
        session.send(ENTER)
        session.wait_for("Form sent.", gone="Esc interrupts")
        answer = str(endpoint.requests[-1].json["messages"])
        assert all(part in answer for part in ("accept", "小明", "42", "free", "true", "a@b.cn"))

        session.say("page")
        session.wait_for(CALENDAR, "It wants you to visit login.example.com", "consent?state=af0ifjsldkj", "o opens it")
        assert not page.exists()  # nothing is opened before the person says so
        session.send("o")
        while not page.exists():
            session.read()
        assert page.read_text() == "https://login.example.com/consent?state=af0ifjsldkj"
        session.send("y")
        session.wait_for("Page visited.", gone="Esc interrupts")
        assert "accept" in str(endpoint.requests[-1].json["messages"][-1])

        session.say("job")
        session.wait_for("It runs.", "jobs: 1", gone="Esc interrupts")
        session.send(CTRL_T)
        session.wait_for("running  sleep 300")
        assert session.quit() == 0


def test_a_person_who_is_away_is_called(tmp_path: Path) -> None:
    """By a notification of the terminal, which says what waits; none while keys are pressed."""
    turns = [Turn(calls=[Call("write_file", {"path": "made.txt", "content": "x"})]), Turn("So be it.")]
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text("import mewcode.terminal.session as one\none.PRESENT_SECONDS = 0.0\n")
    environ = {
        "TERM_PROGRAM": "iTerm.app",
        "PYTHONPATH": os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")]),
    }
    with (
        serve(turns) as endpoint,
        running(tmp_path, settings=settings_for(endpoint, "ui: {notifications: desktop}"), environ=environ) as session,
    ):
        session.wait_for("default ·")
        session.say("write")
        session.wait_for("yes, this once")
        assert b"\x1b]9;" in session.raw and b"write_file made.txt" in session.raw.partition(b"\x1b]9;")[2][:60]
        session.send("n")
        session.wait_for("So be it.")

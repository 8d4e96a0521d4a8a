"""The slash commands in a real terminal: what each shows, and what it leaves behind."""

import os
from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.terminal.pty_session import CTRL_O, CTRL_R, CTRL_T, DOWN, ENTER, ESCAPE, running, settings_for

pytestmark = pytest.mark.slow

STATUS = "default ·"


def home() -> Path:
    return Path(os.environ["MEWCODE_HOME"])


def test_the_commands_that_look_at_the_session(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    turns = [Turn("I look.", calls=[Call("read_file", {"path": "a.py"})]), Turn("Seen.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint), rows=40) as session:
        session.wait_for(STATUS)
        session.say("look at a.py")
        session.wait_for("Seen.")
        session.say("/context")
        session.wait_for("█", "system prompt", "tool definitions", "results of tools", "free", "/compact summarises")
        session.say("/cost")
        session.wait_for("2 requests", "tokens in")
        session.say("/tools read")
        session.wait_for("read_file", "tools: ")
        session.say("/audit")
        session.wait_for("ok", "read_file a.py", "audit list")
        session.say("/config model")
        session.wait_for("fake:m", "config.yaml")
        session.say("/helq")
        session.wait_for("There is no command /helq. Did you mean /help?")
        session.say("/doctor")
        session.wait_for("✓ audit")
        session.send(CTRL_T)
        session.wait_for("No tasks and no background jobs.")


def test_rules_themes_and_modes_are_kept(tmp_path: Path) -> None:
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("/permissions deny run_command(rm *)")
        session.wait_for("deny run_command(rm *) is now in")
        session.say("/permissions")
        session.wait_for("deny", "Deny wins")
        session.say("/permissions deny run_command(")
        session.wait_for("rule")
        session.say("/theme")
        session.wait_for("auto ●")
        session.send(DOWN + ENTER)
        session.wait_for("The theme light is in")
        session.say("/mode")
        session.wait_for("default ●")
        session.send("plan" + ENTER)
        session.wait_for("The mode is plan.", "plan ·")
        session.say("/theme purple")
        session.wait_for("There is no theme purple")
    written = (home() / "config.yaml").read_text()
    assert "theme: light" in written and "run_command(rm *)" in written


def test_a_session_is_written_down_copied_and_begun_anew(tmp_path: Path) -> None:
    turns = [Turn("First <b>answer</b>."), Turn("In the copy."), Turn("A summary.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("hello there")
        session.wait_for("First <b>answer</b>.")
        session.say("/export notes.md")
        session.wait_for("Wrote", "notes.md")
        session.say("/export notes.html")
        session.wait_for("notes.html")
        session.say("/export notes.md")
        session.wait_for("Could not write", "Name another file")
        session.say("/fork")
        session.wait_for("Session 2", "hello there")
        session.say("more")
        session.wait_for("In the copy.")
        assert "hello there" in str(endpoint.requests[1].json["messages"])
        session.say("/compact")
        session.wait_for("The conversation was summarised")
        session.say("/clear")
        session.wait_for("A new session; the old one is saved.")
        assert "given with --model" not in session.everything
        session.say("/resume")
        session.wait_for("Resume", "turns: 2", "turns: 1")
        session.send(ESCAPE)
    assert "First <b>answer</b>." in (tmp_path / "notes.md").read_text()
    assert "&lt;b&gt;answer" in (tmp_path / "notes.html").read_text()


def test_a_session_goes_on_with_its_transcript_shown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    turns = [Turn("I look.", calls=[Call("read_file", {"path": "a.py"})]), Turn("Seen."), Turn("Again.")]
    with serve(turns) as endpoint:
        with running(tmp_path, settings=settings_for(endpoint)) as session:
            session.wait_for(STATUS)
            session.say("look at @a.py")
            session.wait_for("Seen.")
            session.quit()
        with running(tmp_path, "-c") as session:
            session.wait_for("look at @a.py", "· read_file a.py", "Seen.", STATUS)
            assert "attachment" not in session.everything
            session.say("and now")
            session.wait_for("Again.")
            session.quit()
        with running(tmp_path, "-r", "20200101-000000-abcdef") as session:
            session.wait_for("20200101-000000-abcdef", STATUS)  # told, and a new session begun
            session.quit()
        with running(tmp_path, "-r") as session:
            session.wait_for("Resume", "look at @a.py")
            session.send(ENTER)
            session.wait_for("· read_file a.py", "Again.")


def test_history_is_searched_across_sessions(tmp_path: Path) -> None:
    with serve(lambda request: Turn("Yes.")) as endpoint:
        with running(tmp_path, settings=settings_for(endpoint)) as session:
            session.wait_for(STATUS)
            for words in ("the first thing", "something else"):
                session.say(words)
                session.wait_for("Yes.", gone="Esc interrupts")
            session.quit()
        with running(tmp_path) as session:
            session.wait_for(STATUS)
            session.send(CTRL_R)
            session.wait_for("History", "▸ something else")
            session.send("first")
            session.wait_for("▸ the first thing")
            session.send(ENTER)
            session.wait_for("> the first thing", gone="History")
            session.send(" again" + ENTER)
            session.wait_for("> the first thing again", "Yes.")


def test_the_whole_transcript_opens_in_a_pager(tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}/seen; echo PAGED; read x\n')
    pager.chmod(0o755)
    turns = [Turn("One.\n\nTwo.", calls=[Call("find_files", {"pattern": "*"})]), Turn("End.")]
    environ = {"PAGER": str(pager)}
    with (
        serve(turns) as endpoint,
        running(tmp_path, settings=settings_for(endpoint), environ=environ) as session,
    ):
        session.wait_for(STATUS)
        session.say("go")
        session.wait_for("End.")
        session.send(CTRL_O)
        session.wait_for("PAGED")
        session.send(ENTER)
        session.wait_for(STATUS)
    seen = (tmp_path / "seen").read_text()
    assert "── you\n\ngo" in seen and "One.\n\nTwo." in seen and "── find_files" in seen


def test_init_review_and_project_commands_stand_for_longer_texts(tmp_path: Path) -> None:
    folder = tmp_path / ".mewcode" / "commands"
    folder.mkdir(parents=True)
    (folder / "fix.md").write_text("---\ndescription: Fix a bug\n---\nFix bug $1, really.\n")
    with (
        serve(lambda request: Turn(f"Did {request.index}.")) as endpoint,
        running(tmp_path, settings=settings_for(endpoint)) as session,
    ):
        session.wait_for(STATUS)
        session.send("/fi")
        session.wait_for("/fix", "Fix a bug")
        session.send("x 7" + ENTER)
        session.wait_for("> /fix 7", "Did 0.")
        session.say("/init")
        session.wait_for("Did 1.")
        session.say("/review the tests")
        session.wait_for("Did 2.")
    sent = [str(request.json["messages"]) for request in endpoint.requests]
    assert "Fix bug 7, really." in sent[0] and "Write the file AGENTS.md" in sent[1] and "the tests" in sent[2]

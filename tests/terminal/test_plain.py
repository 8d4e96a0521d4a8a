"""The session line by line: in a pipe, and in a terminal that cannot draw."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.terminal.pty_session import CTRL_C, ENTER, running, settings_for

pytestmark = pytest.mark.slow

WRITE = Turn(calls=[Call("write_file", {"path": "made.txt", "content": "x\n"})])
MAIN = [sys.executable, "-c", "from mewcode.cli.main import main; main()"]


def piped(workspace: Path, settings: str, typed: str) -> "subprocess.CompletedProcess[str]":
    home = Path(os.environ["MEWCODE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.yaml").write_text(settings, encoding="utf-8")
    return subprocess.run(MAIN, cwd=workspace, input=typed, capture_output=True, text=True, timeout=120, check=False)


def test_a_pipe_gets_its_answers_and_commands_one_after_the_other(tmp_path: Path) -> None:
    with serve([Turn("First **answer**."), Turn("Second \x1b[2Janswer.")]) as endpoint:
        done = piped(tmp_path, settings_for(endpoint), "one\n/cost\ntwo\n")
    assert done.returncode == 0
    places = [done.stdout.index(text) for text in ("> one", "First answer.", "1 requests", "> two", "Second answer.")]
    assert places == sorted(places)
    assert "\x1b" not in done.stdout


def test_the_end_of_a_pipe_is_a_no_and_a_letter_is_an_answer(tmp_path: Path) -> None:
    with serve([WRITE, Turn("So be it.")]) as endpoint:
        done = piped(tmp_path, settings_for(endpoint), "write\n")
    assert "Allow this?" in done.stdout and "So be it." in done.stdout and not (tmp_path / "made.txt").exists()
    with serve([WRITE, Turn("Written.")]) as endpoint:
        done = piped(tmp_path, settings_for(endpoint), "write\nmaybe\ny\n")
    assert "Written." in done.stdout and (tmp_path / "made.txt").exists()


def test_a_dumb_terminal_has_the_whole_session_without_a_single_escape_sequence(tmp_path: Path) -> None:
    risky = Turn(calls=[Call("write_file", {"path": ".github/workflows/ci.yml", "content": "x\n"})])
    turns = [risky, Turn("Told so.")]
    with (
        serve(turns) as endpoint,
        running(tmp_path, settings=settings_for(endpoint), environ={"TERM": "dumb"}) as session,
    ):
        session.wait_for("named by")
        session.send("write" + ENTER)
        session.wait_for("+ x", "Allow this?", "n: no")
        session.send("y" + ENTER)
        session.wait_for("Please confirm", "Type yes")
        session.send("n not that file" + ENTER)
        session.wait_for("Failed: write_file", "Told so.")
        assert "not that file" in str(endpoint.requests[-1].json["messages"])
        session.send("/mode" + ENTER)
        session.wait_for("1 plan")
        session.send("1" + ENTER)
        session.wait_for("The mode is plan.")
        session.send(CTRL_C)
        session.wait_for("Ctrl+C again quits.")
        session.send(CTRL_C)
        assert session.wait_end() == 0
        assert b"\x1b" not in session.raw and session.is_sane


def test_without_a_model_a_pipe_ends_with_5_and_the_next_step(tmp_path: Path) -> None:
    done = piped(tmp_path, "model: nowhere:m\n", "hello\n")
    assert done.returncode == 5 and "nowhere" in done.stdout + done.stderr

"""`mewcode run` as a process: exit codes, signals, and what is left after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agent.validity import assert_valid
from tests.endpoint import Call, Fault, ModelEndpoint, Turn, serve
from tests.headless.whole_house import messages_sent, start_process, write_settings

from mewcode.config import Paths
from mewcode.workspace.checkpoints import Checkpoints

DEADLINE = 120.0
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    return folder


def finish(process: "subprocess.Popen[str]", stdin: str | None = None) -> tuple[int, str, str]:
    try:
        out, err = process.communicate(stdin, timeout=DEADLINE)
    finally:
        process.kill()
    return process.returncode, out, err


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Polls, since the event is in another process."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def sleeping(project: Path) -> Iterator[Turn]:
    """A turn whose command says that it runs, by a file with its process id, and then waits."""
    command = f"echo $$ > {project}/running; sleep 600"
    yield Turn("I run it.", [Call("run_command", {"command": command, "timeout": 600})])
    yield Turn("Went on.")


def run_until_command_runs(project: Path, endpoint: ModelEndpoint, *more: str) -> "tuple[subprocess.Popen[str], int]":
    write_settings(endpoint)
    process = start_process(project, "go", "--allow", "run_command(*)", "--confirm", "run_command(*)", *more)
    running = project / "running"
    wait_for(lambda: process.poll() is not None or (running.exists() and running.read_text().strip()), "the command")
    if process.poll() is not None:
        raise AssertionError(process.communicate())
    return process, int(running.read_text())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def only_session() -> Path:
    (path,) = (Path(os.environ["MEWCODE_HOME"]) / "sessions").glob("*.jsonl")
    return path


def test_text_goes_to_standard_output_and_nothing_else(project: Path) -> None:
    with serve([Turn("It says one.")]) as endpoint:
        write_settings(endpoint)
        code, out, err = finish(start_process(project, "What does a.txt say?"))
    assert (code, out, err) == (0, "It says one.\n", "")


def test_the_task_and_what_is_piped_in_reach_the_model(project: Path) -> None:
    with serve([Turn("fine")]) as endpoint:
        write_settings(endpoint)
        process = start_process(project, "explain", stdin=subprocess.PIPE)
        code, _, err = finish(process, "a trace\n")
    assert (code, err) == (0, "")
    assert "a trace" in messages_sent(endpoint, 0)
    assert "explain" in messages_sent(endpoint, 0)


def test_no_task_is_a_usage_error(project: Path) -> None:
    code, out, err = finish(start_process(project))
    assert (code, out) == (2, "")
    assert "no task" in err


@pytest.mark.parametrize(
    "arguments",
    [["x", "--output", "yaml"], ["x", "--mode", "yolo"], ["x", "--max-turns", "0"], ["x", "--resume", "../x"]],
)
def test_a_wrong_option_is_a_usage_error(project: Path, arguments: list[str]) -> None:
    with serve([Turn("never")]) as endpoint:
        write_settings(endpoint)
        code, _, err = finish(start_process(project, *arguments))
    assert code == 2, err
    assert endpoint.requests == []


def test_a_provider_that_refuses_is_5_with_one_clear_error_and_a_result_line(project: Path) -> None:
    with serve([Turn(fault=Fault("status", times=99, status=401))]) as endpoint:
        write_settings(endpoint)
        code, out, err = finish(start_process(project, "go", "--output", "stream-json"))
    assert code == 5, err
    result = json.loads(out.splitlines()[-1])
    assert (result["type"], result["status"], result["exit_code"]) == ("result", "model_error", 5)
    assert "401" in result["error"]
    assert "Traceback" not in err


def test_a_stream_that_breaks_once_is_tried_again(project: Path) -> None:
    with serve([Turn("It says one.", fault=Fault("cut", after=2))]) as endpoint:
        write_settings(endpoint)
        code, out, _ = finish(start_process(project, "go"))
    assert (code, out) == (0, "It says one.\n")


@pytest.mark.parametrize(
    ("number", "code", "status"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_ends_the_command_saves_the_session_and_says_so(
    project: Path, number: signal.Signals, code: int, status: str
) -> None:
    with serve(list(sleeping(project))) as endpoint:
        process, command = run_until_command_runs(project, endpoint, "--output", "stream-json")
        process.send_signal(number)
        ended, out, err = finish(process)
    assert ended == code, err
    result = json.loads(out.splitlines()[-1])
    assert (result["type"], result["status"], result["exit_code"]) == ("result", status, code)
    assert result["session"] == only_session().stem
    wait_for(lambda: not alive(command), "the end of the command")


def test_after_kill_9_resume_goes_on_from_the_last_step_and_runs_nothing_again(project: Path) -> None:
    with serve(list(sleeping(project))) as endpoint:
        process, command = run_until_command_runs(project, endpoint)
        process.kill()
        process.communicate(timeout=DEADLINE)
        wait_for(lambda: not alive(command), "the end of the orphan")
        (project / "running").unlink()
        session = only_session()
        with session.open("ab") as file:
            file.write(b'{"type":"message","mess')
        code, out, err = finish(start_process(project, "go on", "--resume", session.stem, "--output", "json"))
    assert code == 0, err
    assert json.loads(out)["text"] == "Went on."
    assert json.loads(out)["session"] == session.stem
    assert not (project / "running").exists(), "the command must not run again"
    told = messages_sent(endpoint, 1)
    assert "outcome is unknown" in told
    assert "go on" in told
    _assert_saved_history_is_valid(session)
    rows = json.loads(_mewcode(project, "audit", "list", "--json"))
    outcomes = [row["outcome"] for row in rows if row["tool"] == "run_command"]
    assert outcomes == ["unknown"]


def _assert_saved_history_is_valid(session: Path) -> None:
    from mewcode.agent.conversation import Conversation
    from mewcode.agent.journal import read_records

    messages = Conversation.replay(read_records(session)).messages
    assert len(messages) == 4
    assert_valid(messages)


def test_sessions_are_listed_shown_exported_and_deleted(project: Path) -> None:
    with serve([Turn("It says <b>one</b>.", [Call("read_file", {"path": "a.txt"})]), Turn("Done.")]) as endpoint:
        write_settings(endpoint)
        code, _, err = finish(start_process(project, "What does a.txt say?"))
    assert code == 0, err
    (row,) = json.loads(_mewcode(project, "sessions", "list", "--json"))
    assert (row["title"], row["turns"], row["status"]) == ("What does a.txt say?", 1, "done")
    assert row["workspace"] == str(project)
    shown = _mewcode(project, "sessions", "show", row["id"])
    assert "What does a.txt say?" in shown
    assert "system-reminder" not in shown
    page = _mewcode(project, "sessions", "export", row["id"], "--format", "html")
    assert "It says &lt;b&gt;one&lt;/b&gt;." in page
    checkpoints = Checkpoints(Paths.from_environment().checkpoints)
    checkpoints.before_write(row["id"], "call", project / "a.txt", b"before", 0o644)
    assert _mewcode(project, "sessions", "delete", row["id"], "--yes") == ""
    assert checkpoints.changes(row["id"]) == ()
    assert json.loads(_mewcode(project, "sessions", "list", "--json")) == []


def _mewcode(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "mewcode", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout

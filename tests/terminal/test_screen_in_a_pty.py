"""The interactive session as a person meets it: in a real terminal, against a model over real HTTP."""

import os
import re
import signal
from pathlib import Path

from prompt_toolkit.utils import get_cwidth
from tests.endpoint import Call, Fault, Turn, serve
from tests.terminal.pty_session import (
    CTRL_C,
    CTRL_D,
    CTRL_G,
    CTRL_J,
    CTRL_V,
    ENTER,
    ESCAPE,
    SHIFT_TAB,
    UP,
    running,
    settings_for,
)

PROMPT = "> "
STATUS = "default ·"


def test_an_answer_streams_as_markdown_and_the_session_ends_sane(tmp_path: Path) -> None:
    answer = "# Title\n\n- **one**\n- 你好 👋\n\n```python\nx = 1\n```\n\nThe end."
    turns = [Turn(answer, pieces=30)]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("hello")
        session.wait_for("Title", "• one", "• 你好 👋", "  x = 1", "The end.", gone="Esc interrupts")
        assert "**" not in session.everything and "```" not in session.everything
        assert session.quit() == 0
        assert session.is_sane
        assert "mewcode -r " in session.everything


def test_keys_typed_before_anything_is_loaded_are_not_lost(tmp_path: Path) -> None:
    with serve([Turn("Heard you.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.send("early bird" + ENTER)
        session.wait_for("> early bird", "Heard you.")
        assert "early bird" in str(endpoint.requests[0].messages)


def test_several_lines_are_one_message(tmp_path: Path) -> None:
    with serve([Turn("Got it.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.send("first" + CTRL_J + "second\\" + ENTER + "third" + ENTER)
        session.wait_for("Got it.")
        assert "first\nsecond\nthird" in str(endpoint.requests[0].json["messages"]).replace("\\n", "\n")


def test_a_paste_of_5000_lines_is_a_placeholder_here_and_whole_for_the_model(tmp_path: Path) -> None:
    pasted = "\r".join(f"line {number} 行" for number in range(5000))
    with serve([Turn("Read all.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.send(f"\x1b[200~{pasted}\x1b[201~")
        session.wait_for("5000 lines]")
        session.send(" what is it?" + ENTER)
        session.wait_for("Read all.")
        sent = str(endpoint.requests[0].json["messages"])
        assert "line 0 行" in sent and "line 4999 行" in sent and "what is it?" in sent


def test_escape_stops_a_model_that_is_streaming_and_the_next_message_works(tmp_path: Path) -> None:
    slow = Turn("word " * 400, pieces=400, fault=Fault("slow", seconds=0.2))
    turns = [slow, Turn("Fresh start.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("talk")
        session.wait_for("word word")
        session.send(ESCAPE)
        session.wait_for("Interrupted.", gone="Esc interrupts")
        session.say("again")
        session.wait_for("Fresh start.")


def test_escape_stops_a_command_with_its_processes(tmp_path: Path) -> None:
    mark = tmp_path / "survived"
    line = f"echo started; sleep 30; touch {mark}"
    with serve([Turn(calls=[Call("run_command", {"command": line, "timeout": 60})]), Turn("Never.")]) as endpoint:
        rules = 'permissions: [{rule: "run_command(*)", effect: allow}]'
        with running(tmp_path, "--mode", "default", settings=settings_for(endpoint, rules)) as session:
            session.wait_for(STATUS)
            session.say("run it")
            session.wait_for("│ started")
            session.send(ESCAPE)
            session.wait_for("Interrupted.")
            assert session.quit() == 0
            assert not mark.exists()


def test_escape_takes_a_message_back_while_the_house_is_not_open_yet(tmp_path: Path) -> None:
    with serve([Turn("Answer.")]) as endpoint:
        hook = _hook(
            tmp_path, "import time\nload = household._load\nhousehold._load = lambda: time.sleep(8) or load()\n"
        )
        with running(tmp_path, settings=settings_for(endpoint), environ={"PYTHONPATH": str(hook)}) as session:
            session.wait_for("opening…")
            session.say("too early")
            session.wait_for("Esc interrupts")
            session.send(ESCAPE)
            session.wait_for("back in the line")
            session.wait_for("named by", gone="Esc interrupts")
            assert not endpoint.requests
            session.send(ENTER)
            session.wait_for("Answer.")


def test_ctrl_c_clears_and_then_quits(tmp_path: Path) -> None:
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.send("half a thought")
        session.wait_for("half a thought")
        session.send(CTRL_C)
        session.wait_for(STATUS, gone="half a thought")
        session.send(CTRL_C)
        session.wait_for("Ctrl+C again quits")
        session.send(CTRL_C)
        assert session.wait_end() == 0
        assert session.is_sane


def test_shift_tab_cycles_the_modes(tmp_path: Path) -> None:
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        for shown in ("accept edits ·", "auto ·", "plan ·", "default ·"):
            session.send(SHIFT_TAB)
            session.wait_for(shown)


def test_a_terminated_session_ends_with_143_and_a_sane_terminal(tmp_path: Path) -> None:
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        os.kill(session.child.pid, signal.SIGTERM)
        assert session.wait_end() == 143
        assert session.is_sane


def test_a_broken_managed_file_ends_with_2_and_a_sane_terminal(tmp_path: Path) -> None:
    managed = tmp_path / "policy.yaml"
    managed.write_text("permissions: 3\n")
    with running(tmp_path, environ={"MEWCODE_MANAGED_CONFIG": str(managed)}) as session:
        assert session.wait_end() == 2
        assert session.is_sane
        assert "policy.yaml" in session.everything


def test_a_crash_leaves_a_sane_terminal_and_says_where_its_traceback_is(tmp_path: Path) -> None:
    hook = _hook(tmp_path, "def broken():\n    raise RuntimeError('boom')\nhousehold._load = broken\n")
    with running(tmp_path, environ={"PYTHONPATH": str(hook)}) as session:
        assert session.wait_end() == 1
        assert session.is_sane
        assert "crash-" in session.everything.replace("\n", "")


def _hook(folder: Path, code: str) -> Path:
    """A folder for PYTHONPATH whose start-up hook changes how the house behind the screen is opened."""
    hook = folder / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(f"import mewcode.terminal.household as household\n{code}")
    return hook


def test_a_resize_leaves_one_input_line(tmp_path: Path) -> None:
    with serve([Turn("x " * 300)]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.send("still here")
        session.wait_for("still here")
        for columns, rows in ((40, 20), (120, 40), (60, 15)):
            session.resize(columns, rows)
            session.read(1)
            session.wait_for("still here")
        session.send(CTRL_C)
        session.wait_for(STATUS, gone="still here")
        session.send(CTRL_D)
        assert session.wait_end() == 0


def test_a_queued_message_comes_back_with_up_and_after_an_interrupt(tmp_path: Path) -> None:
    turns = [Turn("word " * 400, pieces=400, fault=Fault("slow", seconds=0.2)), Turn("Fresh.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("talk")
        session.wait_for("word word")
        session.say("change course")
        session.wait_for("queued: change course")
        session.send(UP)
        session.wait_for("> change course", gone="queued:")
        session.send(" now" + ENTER)
        session.wait_for("queued: change course now")
        session.send(ESCAPE)
        session.wait_for("Interrupted.", "> change course now", gone="queued:")
        session.send(ENTER)
        session.wait_for("Fresh.")
        assert "change course now" in str(endpoint.requests[-1].json["messages"])


def test_vi_keys_and_the_editor_of_the_settings(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "written elsewhere" > "$1"\n')
    editor.chmod(0o755)
    settings = f"ui: {{keys: vi, editor: {editor}}}"
    with serve([Turn("Got it.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("named by")
        session.send("one two")
        session.wait_for("> one two")
        session.send(ESCAPE)
        session.read(0.3)
        session.send("bx0iA ")
        session.wait_for("> A one wo")
        session.send(CTRL_G)
        session.wait_for("> written elsewhere")
        session.send(ENTER)
        session.wait_for("Got it.")
        assert "written elsewhere" in str(endpoint.requests[0].messages)


def test_no_color_means_none_and_a_narrow_screen_loses_nothing_that_matters(tmp_path: Path) -> None:
    turns = [
        Turn(
            "# Head\n\n`code`", calls=[Call("write_file", {"path": "src/a/rather/long/path.txt", "content": "王" * 40})]
        ),
        Turn("End."),
    ]
    size = {"columns": 40, "rows": 20}
    with (
        serve(turns) as endpoint,
        running(tmp_path, settings=settings_for(endpoint), environ={"NO_COLOR": "1"}, **size) as session,
    ):
        session.wait_for("default ·")
        session.say("write")
        session.wait_for("Allow this?", "y  yes, this once", "n  no", "王王")
        assert all(get_cwidth(line) <= 40 for line in session.screen.split("\n"))
        session.send("n")
        session.wait_for("End.")
        assert not re.search(rb"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])(;[0-9;]*)?m", session.raw)


def test_a_hang_up_ends_the_session_saved_and_sane(tmp_path: Path) -> None:
    with serve([Turn("Heard.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("remember me")
        session.wait_for("Heard.")
        os.kill(session.child.pid, signal.SIGHUP)
        assert session.wait_end() == 129
        assert session.is_sane
    with running(tmp_path, "-c") as session:
        session.wait_for("remember me", "Heard.")


def test_a_picture_from_the_clipboard_and_one_that_is_dropped_go_along(tmp_path: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 100
    (tmp_path / "shot.png").write_bytes(png)
    paste = tmp_path / "wl-paste"
    paste.write_text(f"#!/bin/sh\ncat {tmp_path}/shot.png\n")
    paste.chmod(0o755)
    environ = {"WAYLAND_DISPLAY": "w", "DISPLAY": "", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with (
        serve([Turn("Two pictures.")]) as endpoint,
        running(tmp_path, settings=settings_for(endpoint), environ=environ) as session,
    ):
        session.wait_for("named by")
        session.send("compare ")
        session.send(CTRL_V)
        session.wait_for("[image 1: PNG, 1 kB]")
        session.send(f"\x1b[200~{tmp_path}/shot.png\x1b[201~")
        session.wait_for("[image 2: PNG, 1 kB]")
        session.send(ENTER)
        session.wait_for("Two pictures.")
        assert str(endpoint.requests[0].json["messages"]).count("data:image/png;base64,") == 2


def test_without_a_clipboard_program_the_way_out_is_said(tmp_path: Path) -> None:
    environ = {"WAYLAND_DISPLAY": "", "DISPLAY": ""}
    with (
        serve([Turn("x")]) as endpoint,
        running(tmp_path, settings=settings_for(endpoint), environ=environ) as session,
    ):
        session.wait_for("named by")
        session.send(CTRL_V)
        session.wait_for("No program here reads pictures")


def test_a_command_of_the_persons_own_is_asked_about_only_by_rules_and_risks(tmp_path: Path) -> None:
    rules = 'permissions: [{rule: "run_command(make *)", effect: ask}, {rule: "run_command(env *)", effect: deny}]'
    (tmp_path / "tool.py").write_text("print('ran it')\n")
    with serve([Turn("I know.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint, rules)) as session:
        session.wait_for("named by")
        session.say("!python3 tool.py")
        session.wait_for("  ran it")
        assert "Allow this?" not in session.everything
        session.say("!make it")
        session.wait_for("run_command(make *)", "\u25b8 y")
        session.send("n")
        session.wait_for("declined")
        session.say("!env python3 tool.py")
        session.wait_for("run_command(env *)")
        session.say("!git push")
        session.wait_for("Allow this?", "\u25b8 y")
        session.send(ESCAPE)
        session.wait_for(STATUS, gone="Allow this?")
        session.say("what did I run?")
        session.wait_for("I know.")
        assert "python3 tool.py" in str(endpoint.requests[-1].json["messages"])

"""Questions of the gate in a real terminal: every key, the second confirmation, and keys that were not meant."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.endpoint import Call, ModelEndpoint, Recorded, Turn, serve
from tests.terminal.pty_session import CTRL_U, DOWN, ENTER, ESCAPE, TAB, PtySession, running, settings_for

STATUS = "default ·"
ARMED = "yes, this once"
PASTE = "\x1b[200~y\x1b[201~"


@contextmanager
def asked_to_write(
    workspace: Path, *more: Turn, path: str = "made.txt", settings: str = ""
) -> Generator[tuple[PtySession, ModelEndpoint], None, None]:
    """A session whose model wants to write a file."""
    turns = [Turn(calls=[Call("write_file", {"path": path, "content": "new line\n"})]), *more, Turn("So be it.")]
    with serve(turns) as endpoint, running(workspace, settings=settings_for(endpoint, settings)) as session:
        session.wait_for(STATUS)
        session.say("write it")
        yield session, endpoint


def test_a_question_shows_the_diff_the_reason_and_the_rule_it_would_write(tmp_path: Path) -> None:
    with asked_to_write(tmp_path) as (session, _):
        session.wait_for("write_file", "+ new line", "why:", "Allow this?", ARMED, "writes write_file(/made.txt) to")
        session.send("n")
        session.wait_for("So be it.")


def test_every_key_answers_and_a_paste_does_not(tmp_path: Path) -> None:
    def scripted(request: Recorded) -> Turn:
        said = request.messages[-1]
        if said["role"] == "tool":
            return Turn(f"So be it {said['tool_call_id']}.")
        wishes = re.findall("write (yes|no|arrows|paste|word|escape)\\b", str(request.messages))
        name = wishes[-1]
        return Turn(calls=[Call("write_file", {"path": name, "content": "new line\n"}, id=name)])

    def wanted(session: PtySession, name: str) -> None:
        session.say(f"write {name}")
        session.wait_for(f"┃ write_file {name}", f"Allow this?  write_file {name}", ARMED)

    with serve(scripted) as endpoint, running(tmp_path, settings=settings_for(endpoint), rows=60) as session:
        session.wait_for(STATUS)
        for name, key in (("yes", "y"), ("no", "n"), ("arrows", DOWN * 3 + ENTER), ("paste", f"{PASTE}n")):
            wanted(session, name)
            session.send(key)
            session.wait_for(f"So be it {name}.", gone="Esc interrupts")
        wanted(session, "word")
        session.send("c")
        session.wait_for("What should the model know?")
        session.send("use another name" + ENTER)
        session.wait_for("So be it word.", gone="Esc interrupts")
        assert "use another name" in str(endpoint.requests[-1].json["messages"])
        wanted(session, "escape")
        before = len(endpoint.requests)
        session.send(ESCAPE)
        session.wait_for("Interrupted.", gone="Allow this?")
        assert len(endpoint.requests) == before
    assert [path.name for path in tmp_path.iterdir()] == ["yes"]


def test_always_writes_the_rule_that_was_shown(tmp_path: Path) -> None:
    import os

    with asked_to_write(tmp_path) as (session, _):
        session.wait_for(ARMED)
        session.send("a")
        session.wait_for("So be it.")
        assert "write_file(/made.txt)" in (Path(os.environ["MEWCODE_HOME"]) / "config.yaml").read_text()


def test_for_this_session_spares_the_next_question(tmp_path: Path) -> None:
    again = Turn(calls=[Call("write_file", {"path": "made.txt", "content": "second\n"})])
    with asked_to_write(tmp_path, again) as (session, _):
        session.wait_for(ARMED)
        session.send("s")
        session.wait_for("So be it.")
        assert (tmp_path / "made.txt").read_text() == "second\n"


def test_keys_of_somebody_who_is_typing_do_not_answer(tmp_path: Path) -> None:
    with asked_to_write(tmp_path) as (session, _):
        while "Allow this?" not in session.screen:  # goes on typing while the question comes up
            session.send("y")
            session.read(0.1)
        session.wait_for("Tab turns to the question")
        session.read(1.5)  # a pause for thought is no answer either
        session.send("y")
        session.read(0.5)
        assert ARMED not in session.screen and not (tmp_path / "made.txt").exists()
        session.send(TAB)
        session.wait_for(ARMED)
        session.send("n")
        session.wait_for("So be it.")
        assert not (tmp_path / "made.txt").exists()


def test_a_line_that_begins_with_no_answer_is_a_line(tmp_path: Path) -> None:
    with asked_to_write(tmp_path) as (session, endpoint):
        session.wait_for(ARMED)
        session.send("please say so")
        session.wait_for("> please say so", "Tab turns to the question")
        assert not (tmp_path / "made.txt").exists()
        session.send(ENTER)
        session.wait_for("queued: please say so", ARMED)
        session.send("n")
        session.wait_for("So be it.")
        assert "please say so" in str(endpoint.requests[-1].json["messages"])


def test_a_high_risk_call_wants_the_word_yes_besides(tmp_path: Path) -> None:
    with asked_to_write(tmp_path, path=".github/workflows/ci.yml") as (session, _):
        target = tmp_path / ".github" / "workflows" / "ci.yml"
        session.wait_for("Allow this?", ARMED)
        session.send("y")
        session.wait_for("Please confirm", "Type yes and Enter")
        assert not target.exists()
        session.send("y" + ENTER)
        session.read(0.5)
        assert not target.exists()
        session.wait_for("So be it.")


def test_a_confirmed_high_risk_call_runs(tmp_path: Path) -> None:
    with asked_to_write(tmp_path, path=".github/workflows/ci.yml") as (session, _):
        session.wait_for("Allow this?", ARMED)
        session.send("y")
        session.wait_for("Type yes and Enter")
        session.send("yes" + ENTER)
        session.wait_for("So be it.")
        assert (tmp_path / ".github" / "workflows" / "ci.yml").exists()


def test_nothing_that_a_model_sends_can_draw_on_the_screen(tmp_path: Path) -> None:
    """Escape sequences in an answer, an argument or an output are shown or dropped, never obeyed."""
    evil = "\x1b[2J\x1b]0;owned\x07\x1b[31mred"
    turns = [
        Turn(f"{evil} words", calls=[Call("run_command", {"command": f"printf '{evil}'; echo out"})]),
        Turn("The end."),
    ]
    rules = 'permissions: [{rule: "run_command(*)", effect: allow}]'
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint, rules)) as session:
        session.wait_for(STATUS)
        session.say("go")
        session.wait_for("words", "Allow this?", ARMED)
        session.send("n")
        session.wait_for("The end.")
        assert b"\x1b[2J" not in session.raw and b"owned\x07" not in session.raw and b"\x1b]0;" not in session.raw


def test_an_edit_is_shown_where_it_stands_with_the_lines_around_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("".join(f"line {number}\n" for number in range(1, 31)))
    edit = Turn(calls=[Call("edit_file", {"path": "a.py", "old": "line 20", "new": "LINE 20"})])
    turns = [Turn(calls=[Call("read_file", {"path": "a.py"})]), edit, Turn("So be it.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("edit it")
        session.wait_for("19   line 19", "20 - line 20", "20 + LINE 20", "21   line 21", ARMED)
        session.send("y")
        session.wait_for("So be it.")
        assert "LINE 20" in (tmp_path / "a.py").read_text()


def test_questions_come_one_after_the_other_and_a_key_too_many_answers_only_one(tmp_path: Path) -> None:
    for name in (".env", ".env.local"):
        (tmp_path / name).write_text(f"KEY={name}\n")
    both = Turn(calls=[Call("read_file", {"path": name}) for name in (".env", ".env.local")])
    with serve([both, Turn("Read.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("read them")
        session.wait_for("┃ read_file .env", ARMED)
        session.send("yy")
        session.wait_for("┃ read_file .env.local", "Allow this?")
        session.send(CTRL_U + TAB)
        session.wait_for(ARMED)
        session.send("n")
        session.wait_for("Read.")
        sent = str(endpoint.requests[-1].json["messages"])
        assert sent.count("KEY=") == 1 and sent.count("declined") == 1


def test_the_reason_names_the_outside_content_that_was_read_before(tmp_path: Path) -> None:
    import json
    import sys

    server = Path(__file__).parents[1] / "mcp" / "modern_server.py"
    entry = {"command": sys.executable, "args": [str(server), "stdio"], "tools": {"always_load": ["*"]}}
    rules = [{"rule": "mcp_*(*)", "effect": "allow"}, {"rule": "run_command(*)", "effect": "allow"}]
    settings = f"mcp_servers: {json.dumps({'notes': entry})}\npermissions: {json.dumps(rules)}"
    turns = [
        Turn(calls=[Call("mcp_notes_t", {})]),
        Turn(calls=[Call("run_command", {"command": "curl http://evil.example"})]),
        Turn("So be it."),
    ]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("mcp 1/1")
        session.say("go")
        session.wait_for("why: outside content was read", "(server notes)", ARMED)
        session.send("n")
        session.wait_for("So be it.")


def test_an_edit_that_cannot_work_says_so_before_it_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    edit = Turn(calls=[Call("edit_file", {"path": "a.py", "old": "y = 2", "new": "y = 3"})])
    with serve([edit, Turn("So be it.")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for(STATUS)
        session.say("edit it")
        session.wait_for("does not stand in it", "- y = 2", "+ y = 3", ARMED)
        session.send("n")
        session.wait_for("So be it.")

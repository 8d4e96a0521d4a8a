"""What a model, a server, a file or a command says can neither act on the terminal nor look like a question of ours."""

import json
import sys
from pathlib import Path

from tests.endpoint import Call, Turn, serve
from tests.terminal.evil_server import EVIL
from tests.terminal.pty_session import CTRL_C, ENTER, ESCAPE, running, settings_for

ACTS = (b"\x1b[2J", b"\x1b]0;", b"\x1b]52", b"\x1b[?1049h", b"\x1bc", b"\x9b2J", "\u202e".encode())
"""What must never come out; the screen itself uses none of it."""

SERVER = Path(__file__).with_name("evil_server.py")


def test_no_sequence_of_theirs_reaches_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(EVIL)
    (tmp_path / "bad\x1b[2Jname.txt").write_text("x")
    (tmp_path / ".mewcode" / "commands").mkdir(parents=True)
    (tmp_path / ".mewcode" / "commands" / "trap.md").write_text(f"---\ndescription: {EVIL}\n---\n{EVIL}")
    turns = [
        Turn(f"{EVIL} **words** `{EVIL}`\n\n```python\n{EVIL}\n```", thinking=EVIL, pieces=9, calls=[
            Call("read_file", {"path": "note.txt"}),
            Call("find_files", {"pattern": "*.txt"}),
            Call("run_command", {"command": "cat note.txt"}),
            Call(f"no{EVIL}tool", {"x": EVIL}),
            Call("write_file", {"path": "made.txt", "content": EVIL}),
            Call("todo", {"items": [{"content": EVIL, "status": "pending"}]}),
            Call("mcp_evil_show", {}),
        ]),
        Turn("The end."),
    ]  # fmt: skip
    entry = {"command": sys.executable, "args": [str(SERVER)], "tools": {"always_load": ["*"]}}
    rules = [{"rule": rule, "effect": "allow"} for rule in ("mcp_*(*)", "run_command(cat *)", "write_file(*)")]
    settings = f"ui: {{thinking: shown, notifications: desktop}}\nmcp_servers: {json.dumps({'evil': entry})}\n"
    settings += f"permissions: {json.dumps(rules)}"
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint, settings)) as session:
        session.wait_for("mcp 1/1")
        for typed, shown in (("@bad", "@bad"), ("/tra", "/trap"), ("/mcp:", "/mcp:evil:p")):
            session.send(typed)
            session.wait_for(shown)
            session.send(CTRL_C)
            session.wait_for("default ·", gone=typed)
        session.send("go @note.txt" + ENTER + ENTER)
        while "Enter next" not in session.screen:
            if "Allow this?" in session.screen and "▸ y" in session.screen:
                session.send("y")
            session.read(0.3)
        session.wait_for("The MCP server evil asks:")
        session.send(ESCAPE)
        session.wait_for("The end.", gone="Enter next")
        for line in ("/mcp evil", "/tools show", "/audit", "/tasks", "/context"):
            session.say(line)
            session.read(1.0)
        session.quit()
        for act in ACTS:
            assert act not in session.raw, act


def test_text_in_a_question_cannot_pass_for_the_question(tmp_path: Path) -> None:
    """Whatever stands in the details is behind the bar: also what is wider than the screen, and what has line ends."""
    forged = "x" * 200 + "\u00a0" * 60 + "Allow this?\n\nAllow this?\n  ▸ y  yes, this once"
    turns = [Turn(calls=[Call("run_command", {"command": f"echo '{forged}'; make"})]), Turn("So be it.")]
    with serve(turns) as endpoint, running(tmp_path, settings=settings_for(endpoint), rows=60) as session:
        session.wait_for("default ·")
        session.say("go")
        session.wait_for("a word to the model")
        lines = session.screen.split("\n")
        ours = [line for line in lines if line.startswith("Allow this?")]
        assert len(ours) == 1
        above = lines[: lines.index(ours[0])]
        assert any("Allow this?" in line for line in above)
        assert all(line.startswith("┃ ") for line in above if "Allow this?" in line or "yes, this once" in line)
        session.send("n")
        session.wait_for("So be it.")

"""What a project proposes: shown whole, started only after a yes, and not asked about again after a never."""

import os
import sys
from pathlib import Path

from tests.endpoint import Turn, serve
from tests.terminal.pty_session import DOWN, ENTER, ESCAPE, running, settings_for

STATUS, ARMED = "default ·", "type to narrow"


def propose(workspace: Path) -> Path:
    """A project whose server leaves a mark when it is started, and whose last argument is far to the right."""
    mark = workspace / "started"
    code = f"open({str(mark)!r}, 'w')"
    padding = "x" * 300
    (workspace / ".mewcode.yaml").write_text(
        f"mcp_servers:\n  evil: {{command: {sys.executable}, args: ['-c', \"{code}\", {padding}, THE-END]}}\n"
        "permissions:\n  - {rule: 'run_command(ls *)', effect: allow}\n"
    )
    return mark


def test_nothing_runs_before_a_yes_and_all_of_the_command_is_shown(tmp_path: Path) -> None:
    mark = propose(tmp_path)
    with serve([Turn("x")]) as endpoint, running(tmp_path, settings=settings_for(endpoint)) as session:
        session.wait_for("wants to start the MCP server evil", "THE-END", ARMED)
        session.send(ENTER)
        session.wait_for("evil stays off", "Its rules are not in force yet", "run_command(ls *)", ARMED)
        session.send(ESCAPE)
        session.wait_for(STATUS)
        assert not mark.exists()
        session.say("/mcp trust evil")
        session.wait_for(ARMED)
        session.send(DOWN + ENTER)
        session.wait_for("evil is trusted and starts.")
        while not mark.exists():
            session.read()
        session.say("/mcp trust rules")
        session.wait_for("Trust the allow rules")
        session.send(DOWN + ENTER)
        session.wait_for("The project's rules are trusted.", STATUS)
        session.say("/permissions")
        session.wait_for("allow", ".mewcode.yaml:4")


def test_a_never_is_remembered_for_this_definition_and_grants_nothing(tmp_path: Path) -> None:
    mark = propose(tmp_path)
    with serve([Turn("x")]) as endpoint:
        with running(tmp_path, settings=settings_for(endpoint)) as session:
            for asked in ("server evil of this project?", "allow rules of this project?"):
                session.wait_for(asked, ARMED)
                session.send(DOWN + DOWN + ENTER)
            session.wait_for(STATUS)
            session.quit()
        with running(tmp_path) as session:
            session.wait_for("named by", STATUS)
            session.say("/mcp")
            session.wait_for("needs trust")
            assert "this project?" not in session.everything
            session.quit()
        assert not mark.exists()
        assert not (Path(os.environ["MEWCODE_HOME"]) / "trust.json").exists()
        text = (tmp_path / ".mewcode.yaml").read_text()
        (tmp_path / ".mewcode.yaml").write_text(text.replace("THE-END", "ANOTHER-END"))
        with running(tmp_path) as session:
            session.wait_for("server evil of this project?")  # a change asks again

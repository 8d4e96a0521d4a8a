"""MewCode grants itself nothing: no rule lets a command start it, and inside a session it changes no rights."""

import sys
from pathlib import Path

import pytest
from tests.security.house import call, mewcode, options, question, result, write_settings, yes

from mewcode.app.house import open_app
from mewcode.calls import Question, ToolResult

HERE = sys.executable
LINES = (
    "mewcode mcp trust x",
    "mewcode policy why x",
    f"{HERE} -m mewcode approvals list",
    "python -m mewcode run x",
    "python3 -m mewcode.cli.main run x",
    "python -Im mewcode run x",
    "python -c 'import mewcode.__main__ as m; m.main()'",
    str(Path(HERE).with_name("mewcode")) + " --version",
    "./mewcode --version",
    "env mewcode --version",
    "env -u MEWCODE_SESSION mewcode mcp trust x",
    "MEWCODE_SESSION= mewcode mcp trust x",
    "timeout 5 mewcode --version",
    "nohup nice mewcode --version",
    "sh -c 'mewcode --version'",
    "bash <<< 'mewcode --version'",
    "echo 'mewcode --version' | sh",
    "m''ewcode --version",
    "mew\\code --version",
    "$(echo mewcode) --version",
    "x=mewcode; $x --version",
    "command mewcode --version",
    "exec mewcode --version",
    "true && (mewcode --version)",
    "find . -maxdepth 0 -exec mewcode --version ';'",
    "echo --version | xargs mewcode",
    "uvx mewcode --version",
    "uv run mewcode --version",
    "pipx run mewcode --version",
    "script -qc 'mewcode --version'",
    "setsid mewcode --version",
)
REFUSING = (
    ("policy", "why", "run_command(ls)"),
    ("policy", "check"),
    ("mcp", "trust", "x"),
    ("mcp", "add", "x", "--", "true"),
    ("approvals", "list"),
    ("approvals", "grant", "q_1"),
    ("serve", "token", "add", "x"),
)


@pytest.mark.anyio
@pytest.mark.parametrize("line", LINES)
async def test_no_rule_lets_a_command_start_mewcode(tmp_path: Path, line: str) -> None:
    write_settings(
        "sandbox: 'off'\npermissions: [{rule: '*', effect: allow}, {rule: 'run_command(*)', effect: allow}]\n"
    )
    async with open_app(options(tmp_path, allow=("run_command(*)",), confirm=("run_command(*)",))) as app:
        asked = await question(app, "run_command", {"command": line})
        assert asked.suggestion is None, "nor is a rule offered that would"
        again = await question(app, "run_command", {"command": line}, session="s2")
        assert again.id != asked.id


@pytest.mark.anyio
async def test_what_a_command_starts_knows_that_it_is_inside_a_session(tmp_path: Path) -> None:
    write_settings("sandbox: 'off'\npermissions: [{rule: 'run_command(*)', effect: allow}]\n")
    line = f"{HERE} -m mewcode policy why 'run_command(ls)'"
    arguments = {"command": line, "timeout": 120}
    async with open_app(options(tmp_path)) as app:
        told = await result(app, "run_command", {"command": "echo inside=$MEWCODE_SESSION"})
        assert "inside=1" in told.text
        reply: Question | ToolResult = await question(app, "run_command", arguments)
        while isinstance(reply, Question):
            reply = await call(app, "run_command", arguments, yes(reply))
    assert "session" in reply.text
    assert "Exit code 3" in reply.text


@pytest.mark.parametrize("arguments", REFUSING, ids=" ".join)
def test_commands_that_grant_or_tell_of_rights_refuse_inside_a_session(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    refused = mewcode(tmp_path, *arguments, MEWCODE_SESSION="1")
    assert refused.returncode == 3, refused.stderr
    assert "session" in refused.stderr

"""A rule that closes a path holds inside a command's program too, and everything else stays writable."""

from pathlib import Path

import pytest
from tests.security.house import call, options, result, write_settings

from mewcode.app.house import App, open_app
from mewcode.calls import ToolResult
from mewcode.workspace.sandbox import detect

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        detect().kind not in ("bubblewrap", "seatbelt"), reason="no sandbox that can hide single places"
    ),
]
HIDDEN = "hidden-content"
RULES = (
    ("run_command(*)", "allow"),
    ("run_command(python3 program.py *)", "allow"),
    ("read_file(secrets/**)", "deny"),
    ("read_file(deep/private.txt)", "deny"),
    ("write_file(frozen/**)", "deny"),
    ("write_file(*.lock)", "ask"),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    rules = "".join(f'  - {{rule: "{rule}", effect: {effect}}}\n' for rule, effect in RULES)
    write_settings(f"sandbox: workspace\npermissions:\n{rules}")
    for name in ("secrets/key", "deep/private.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{HIDDEN}\n")
    for name in ("frozen/old.txt", "deep/open.txt", "a.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("old content\n")
    (tmp_path / "program.py").write_text(
        "import os, sys\n"
        "for name in sys.argv[2:]:\n"
        "    try:\n"
        "        print(open(name, sys.argv[1]).write('new') if sys.argv[1] == 'w' else open(name).read())\n"
        "    except OSError as error:\n"
        "        print('no:', name)\n"
    )
    return tmp_path


async def told(app: App, line: str) -> str:
    reply = await result(app, "run_command", {"command": line, "timeout": 120})
    return reply.text


async def test_new_files_are_made_wherever_no_rule_closes_the_place(workspace: Path) -> None:
    async with open_app(options(workspace)) as app:
        await told(app, "python3 program.py w new.txt deep/new.txt deep/open.txt")
        await told(app, "mkdir made && touch made/inside")
    for name in ("new.txt", "deep/new.txt", "deep/open.txt"):
        assert (workspace / name).read_text() == "new"
    assert (workspace / "made" / "inside").exists()


async def test_a_program_reads_nothing_that_a_rule_closes(workspace: Path) -> None:
    async with open_app(options(workspace)) as app:
        for line in (
            "python3 program.py r secrets/key deep/private.txt",
            "grep -rs content .",
            "find . -type f",
            "tar -cf all.tar . ; cat all.tar",
        ):
            reply = await call(app, "run_command", {"command": line, "timeout": 120})
            text = reply.text if isinstance(reply, ToolResult) else ""
            assert HIDDEN not in text, line
        assert "old content" in await told(app, "grep -rs content .")


async def test_a_program_writes_nothing_that_a_rule_closes(workspace: Path) -> None:
    async with open_app(options(workspace)) as app:
        text = await told(app, "python3 program.py w frozen/old.txt frozen/new.txt a.lock secrets/new new.txt")
    assert (workspace / "frozen" / "old.txt").read_text() == "old content\n"
    assert (workspace / "a.lock").read_text() == "old content\n"
    assert not (workspace / "frozen" / "new.txt").exists()
    assert not (workspace / "secrets" / "new").exists()
    assert (workspace / "new.txt").read_text() == "new", text


async def test_a_folder_around_a_closed_path_cannot_be_moved_away(workspace: Path) -> None:
    (workspace / "outer" / "inner").mkdir(parents=True)
    (workspace / "outer" / "inner" / "private.txt").write_text(f"{HIDDEN}\n")
    write_settings(
        "sandbox: workspace\npermissions:\n"
        '  - {rule: "run_command(*)", effect: allow}\n  - {rule: "run_command(python3 *)", effect: allow}\n'
        '  - {rule: "read_file(outer/inner/private.txt)", effect: deny}\n'
    )
    (workspace / "move.py").write_text("import os, sys\nos.rename(sys.argv[1], sys.argv[2])\n")
    async with open_app(options(workspace)) as app:
        for old, new in (("outer", "other"), ("outer/inner", "outer/other")):
            await told(app, f"python3 move.py {old} {new}")
        assert HIDDEN not in await told(app, "cat other/inner/private.txt outer/other/private.txt")
    assert (workspace / "outer" / "inner" / "private.txt").exists()


async def test_names_in_a_closed_folder_are_not_listed(workspace: Path) -> None:
    (workspace / "secrets" / "inner-name").write_text(HIDDEN)
    async with open_app(options(workspace)) as app:
        for line in ("find . -type f", "ls -aR", "du -a .", "tree -a .", "python3 program.py r secrets/inner-name"):
            text = (await told(app, line)).replace("no: secrets/inner-name", "")
            assert "inner-name" not in text, line
        assert "program.py" in await told(app, "find . -type f")

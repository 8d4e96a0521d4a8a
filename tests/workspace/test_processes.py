"""A command runs in an environment of its own and leaves nothing behind, however it ends."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import anyio
import pytest

from mewcode.errors import WorkspaceError
from mewcode.workspace.commands import Finished, run_command
from mewcode.workspace.launching import shell_argv
from mewcode.workspace.processes import Command

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="commands run without a supervisor on Windows"),
]
linux = pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
LONG = 60.0
"""Seconds; nothing here waits that long unless something is broken."""


def command(line: str, folder: Path, deadline: float = LONG) -> Command:
    return Command(shell_argv(line), folder, {"PATH": os.environ["PATH"]}, deadline)


async def run(line: str, folder: Path, deadline: float = LONG, heard: list[str] | None = None) -> Finished:
    async def live(text: str) -> None:
        if heard is not None:
            heard.append(text)

    return await run_command(command(line, folder, deadline), room=4_000, output=folder / "out.txt", live=live)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] if Path("/proc").exists() else "R"
        os.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


async def gone(*pids: int) -> bool:
    """Waits until the processes are gone, as long as it may take on a busy machine."""
    ends_at = time.monotonic() + LONG
    while any(alive(pid) for pid in pids) and time.monotonic() < ends_at:
        await anyio.sleep(0.02)
    return not any(alive(pid) for pid in pids)


async def pids_in(path: Path, count: int) -> list[int]:
    ends_at = time.monotonic() + LONG
    while time.monotonic() < ends_at:
        words = path.read_text().split() if path.exists() else []
        if len(words) >= count:
            return [int(word) for word in words]
        await anyio.sleep(0.02)
    raise AssertionError(f"{path} never named {count} processes")


TREE = (
    'echo $$ >> pids; (echo $BASHPID >> pids; exec sleep 300) & setsid bash -c "echo \\$\\$ >> pids; exec sleep 300" & '
)
"""A shell, a child in the background, and one that made a session of its own."""


async def test_output_and_errors_come_in_order_with_the_exit_status(tmp_path: Path) -> None:
    heard: list[str] = []
    finished = await run("echo one; echo two >&2; echo three; exit 7", tmp_path, heard=heard)
    assert finished.text.splitlines() == ["one", "two", "three"]
    assert finished.ended.code == 7
    assert "".join(heard) == "one\ntwo\nthree\n"


async def test_there_is_nothing_to_read_from(tmp_path: Path) -> None:
    finished = await run("read -r line; echo status $?; cat | wc -c", tmp_path)
    assert finished.text.splitlines()[0] == "status 1"
    assert finished.text.splitlines()[1].strip() == "0"


async def test_a_command_gets_no_terminal_and_a_group_of_its_own(tmp_path: Path) -> None:
    finished = await run(
        "ps -o pgid= -p $$; echo $$; if (exec < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi",
        tmp_path,
    )
    group, own, terminal = finished.text.split()
    assert group == own != str(os.getpgrp())
    assert terminal == "none"


async def test_death_by_a_signal_is_told_as_a_shell_tells_it(tmp_path: Path) -> None:
    assert (await run("kill -KILL $$", tmp_path)).ended.code == 137


async def test_start_up_files_of_bash_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "evil.sh").write_text("echo EVIL")
    (tmp_path / ".bashrc").write_text("echo EVIL")
    spec = command("echo fine", tmp_path)
    environment = {**spec.environment, "HOME": str(tmp_path)}

    async def live(text: str) -> None:
        assert text

    changed = Command(spec.argv, tmp_path, environment, LONG)
    finished = await run_command(changed, room=4_000, output=tmp_path / "o", live=live)
    assert finished.text == "fine"


@linux
async def test_what_a_command_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    finished = await run(TREE + "while [ $(wc -l < pids) -lt 3 ]; do sleep 0.02; done; echo done", tmp_path)
    assert finished.text == "done"
    assert finished.ended.code == 0
    assert finished.ended.left == 2
    assert await gone(*await pids_in(tmp_path / "pids", 3))


@linux
async def test_the_deadline_ends_the_whole_tree_and_keeps_the_output(tmp_path: Path) -> None:
    finished = await run("echo before; " + TREE + "sleep 300", tmp_path, deadline=3)
    assert finished.ended.timed_out
    assert finished.ended.code is None
    assert "before" in finished.text
    assert await gone(*await pids_in(tmp_path / "pids", 3))


@linux
async def test_a_command_that_ignores_being_asked_is_killed(tmp_path: Path) -> None:
    finished = await run("trap '' TERM INT HUP; echo $$ > pids; while :; do sleep 0.1; done", tmp_path, deadline=1.5)
    assert finished.ended.timed_out
    assert await gone(*await pids_in(tmp_path / "pids", 1))


@linux
async def test_cancelling_ends_the_whole_tree(tmp_path: Path) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(run, TREE + "sleep 300", tmp_path)
        pids = await pids_in(tmp_path / "pids", 3)
        group.cancel_scope.cancel()
    assert await gone(*pids)


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_is_orphaned_when_the_program_itself_is_killed(tmp_path: Path, number: int) -> None:
    program = textwrap.dedent("""
        import anyio, json, sys
        from pathlib import Path
        from mewcode.workspace.processes import Command, run
        argv, folder, environment = json.loads(sys.argv[1])
        async def ignore(data): pass
        anyio.run(run, Command(argv, Path(folder), environment, 300), ignore)
    """)
    spec = command(TREE + "sleep 300", tmp_path)
    arguments = json.dumps([list(spec.argv), str(tmp_path), dict(spec.environment)])
    process = subprocess.Popen([sys.executable, "-c", program, arguments])
    pids = await pids_in(tmp_path / "pids", 3)
    process.send_signal(number)
    process.wait(LONG)
    assert await gone(*pids)


@linux
async def test_a_command_that_kills_its_supervisor_does_not_survive_it(tmp_path: Path) -> None:
    finished = await run("echo $$ > pids; kill -KILL $PPID; sleep 300", tmp_path)
    assert finished.ended.code is None
    assert await gone(*await pids_in(tmp_path / "pids", 1))


@linux
async def test_a_daemon_that_forks_twice_is_ended(tmp_path: Path) -> None:
    line = "setsid bash -c 'setsid bash -c \"echo \\$\\$ >> pids; exec sleep 300\" & disown; exit' ; "
    await run(line + "while [ ! -s pids ]; do sleep 0.02; done", tmp_path)
    assert await gone(*await pids_in(tmp_path / "pids", 1))


async def test_descriptors_of_the_program_are_not_handed_on(tmp_path: Path) -> None:
    finished = await run("ls /proc/self/fd 2>/dev/null || ls /dev/fd", tmp_path)
    assert set(finished.text.split()) <= {"0", "1", "2", "3"}  # 3 is the listing's own


async def test_a_flood_of_output_stays_small_here_and_whole_in_the_file(tmp_path: Path) -> None:
    finished = await run("seq 1 200000", tmp_path)
    assert len(finished.text) <= 4_000
    assert finished.cut
    assert finished.output is not None
    assert finished.output.read_text().split("\n")[199_999] == "200000"
    assert finished.output.stat().st_mode & 0o077 == 0


async def test_output_that_is_shown_whole_leaves_no_file(tmp_path: Path) -> None:
    finished = await run("echo hi", tmp_path)
    assert finished.output is None
    assert not (tmp_path / "out.txt").exists()


async def test_what_cannot_be_started_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="could not be started"):
        await run("true", tmp_path / "missing")
    with pytest.raises(WorkspaceError, match="NUL"):
        shell_argv("echo \0")


async def test_many_commands_run_at_once(tmp_path: Path) -> None:
    results: dict[int, str] = {}

    async def one(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        results[number] = (await run(f"echo {number}", folder)).text

    async with anyio.create_task_group() as group:
        for number in range(6):
            group.start_soon(one, number)
    assert results == {number: str(number) for number in range(6)}

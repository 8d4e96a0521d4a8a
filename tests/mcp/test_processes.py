"""No server outlives its host, however the host ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from tests.mcp.running import PATIENCE, alive, call, fault, pid_of, python_server, running, until

from mewcode.mcp import ServerDefinition
from mewcode.mcp.transports.descendants import descendants
from mewcode.mcp.transports.environment import CERTIFICATES
from mewcode.mcp.transports.watchdog_process import PAUSE
from mewcode.tools import ServerState

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals are POSIX's"),
]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
async def test_a_host_that_is_ended_by_a_signal_leaves_no_server_and_no_grandchild(how: signal.Signals) -> None:
    modes = ["ok", "ignore_term", "grandchild"]
    command = [sys.executable, "-m", "tests.mcp.host_process", *modes]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert host.stdout is not None
    with host.stdout:
        servers = {int(word) for word in (await anyio.to_thread.run_sync(host.stdout.readline)).split()}
    assert len(servers) == len(modes)
    everyone = servers | descendants(servers)
    assert len(everyone) > len(servers)
    host.send_signal(how)
    host.wait(timeout=PATIENCE)
    await until(lambda: not [pid for pid in everyone if alive(pid)], "the end of all servers")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to whoever asks for them")
async def test_a_detached_orphan_of_a_server_does_not_outlive_a_host_that_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "orphan"
    command = [sys.executable, "-m", "tests.mcp.host_process", "--orphan", str(mark)]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert host.stdout is not None
    with host.stdout:
        assert await anyio.to_thread.run_sync(host.stdout.readline)
    await until(lambda: mark.exists() and mark.read_text().endswith("\n"), "the orphan")
    orphan = int(mark.read_text())
    assert alive(orphan)
    await anyio.sleep(2.5 * PAUSE)  # whoever looks every second has seen it by then, the server's own end or not
    host.kill()
    host.wait(timeout=PATIENCE)
    await until(lambda: not alive(orphan), "the end of the orphan")


async def test_a_child_that_left_the_process_group_is_ended_too(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '1000'], start_new_session=True, stdin=subprocess.DEVNULL)\n"
        "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
    )
    from tests.mcp.running import FAULT_SERVER

    async with running(python_server("s", script, str(FAULT_SERVER), "ok")) as manager:
        children = descendants({pid_of(manager, "s")})
        assert children
    assert not [pid for pid in children if alive(pid)]


async def test_a_server_that_closes_its_output_but_runs_on_is_ended_and_started_anew(tmp_path: Path) -> None:
    script = tmp_path / "closes.py"
    script.write_text("import os, time\nos.close(1)\ntime.sleep(1000)\n")
    async with running(python_server("s", script)) as manager:
        assert manager.servers["s"].source.state is ServerState.RETRYING
        pid = pid_of(manager, "s")
    await until(lambda: not alive(pid))


async def test_a_server_gets_only_the_environment_that_its_entry_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("LD_PRELOAD_NOTE", "x")
    monkeypatch.setenv("SSL_CERT_FILE", "/etc/company.pem")
    script = tmp_path / "server.sh"
    script.write_text(f'#!/bin/sh\nenv > "{tmp_path}/environment"\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    from tests.mcp.running import FAULT_SERVER

    command = (str(script), str(FAULT_SERVER), "ok")
    async with running(ServerDefinition("s", command, env={"OWN": "value"}, connect_timeout=PATIENCE)):
        names = {line.partition("=")[0] for line in (tmp_path / "environment").read_text().splitlines()}
    added_by_the_shell = {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names - added_by_the_shell <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "OWN", *CERTIFICATES}
    assert {"OWN", "SSL_CERT_FILE"} <= names


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("no-such-command-at-all",), "was not found in"),
        (("./missing-program",), "there is no program"),
        ((str(Path(__file__)),), "is not an executable file"),
    ],
)
async def test_a_command_that_cannot_be_started_fails_for_good_and_says_why(
    command: tuple[str, ...], words: str
) -> None:
    async with running(ServerDefinition("s", command)) as manager:
        assert manager.servers["s"].source.state is ServerState.FAILED
        assert words in (manager.servers["s"].source.error or "")


async def test_a_directory_that_is_not_there_is_named() -> None:
    async with running(fault("s", "ok", cwd="no/such/place")) as manager:
        assert "no/such/place" in (manager.servers["s"].source.error or "")


async def test_what_a_server_writes_to_standard_error_goes_to_a_log_without_secrets(tmp_path: Path) -> None:
    script = tmp_path / "tells.py"
    script.write_text(
        "import os, sys\nprint('token is', os.environ['TOKEN'], file=sys.stderr, flush=True)\nsys.exit(4)\n"
    )
    definition = python_server("tells", script, env={"TOKEN": "very-secret-value"})
    async with running(definition, logs=tmp_path / "logs") as manager:
        error = manager.servers["tells"].source.error or ""
        assert "token is ***" in error
    log = (tmp_path / "logs" / "mcp_tells.log").read_text()
    assert "token is ***" in log
    assert "very-secret" not in log


async def test_a_server_that_is_killed_from_outside_is_restarted_by_the_next_call() -> None:
    async with running(fault("s", "ok")) as manager:
        os.kill(pid_of(manager, "s"), signal.SIGKILL)
        await until(lambda: manager.servers["s"].connection.session is None)
        assert (await call(manager, "s")).text == "useful"

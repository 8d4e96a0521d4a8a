"""What is left of a run that is ended from outside while a server works for it."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.headless.whole_house import start_process, write_settings
from tests.mcp.running import alive
from tests.mcp.scripted import command, starts

PATIENCE = 120.0
pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"), pytest.mark.slow]


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_run_that_is_ended_during_a_call_leaves_no_server_and_does_end(
    tmp_path: Path, how: signal.Signals, code: int
) -> None:
    with serve([Turn(calls=[Call("mcp_s_t")]), Turn(calls=[Call("mcp_s_t")]), Turn("never")]) as endpoint:
        line = command(tmp_path, hangs=["tools/call"], notes=True)
        write_settings(endpoint, more=f"mcp_servers: {{s: {{command: {line}}}}}\n")
        process = start_process(tmp_path, "go", "--allow", "mcp_*", "--require-server", "s")
        try:
            until(lambda: (tmp_path / "s.json.called").exists() or process.poll() is not None)
            [server] = starts(tmp_path)
            assert alive(server)
            os.kill(process.pid, how)
            process.communicate(timeout=PATIENCE)
            until(lambda: not alive(server))
        finally:
            process.kill()
    assert process.returncode == code


def until(condition: Callable[[], object]) -> None:
    """Polls, since the event is in another process."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")

"""Lists of tools say which servers are not in them; a missing launcher is named with what brings it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def mewcode(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mewcode", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(os.environ["MEWCODE_HOME"])
    (home / "config.yaml").write_text(
        "mcp_servers:\n  time: {command: uvx, args: [mcp-server-time]}\n  off: {command: uvx, enabled: false}\n"
    )
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.mark.usefixtures("without_uv")
@pytest.mark.parametrize("arguments", [("tools", "list"), ("tools", "search", "time")])
def test_a_list_says_whose_tools_are_not_in_it_beside_the_list(arguments: tuple[str, ...]) -> None:
    done = mewcode(*arguments, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert "server time is failed, so its tools are missing here" in done.stderr
    assert "it comes with uv (pip install uv)" in done.stderr
    assert "server off" not in done.stderr


@pytest.mark.usefixtures("without_uv")
def test_a_test_of_a_server_writes_the_log_that_get_names() -> None:
    home = Path(os.environ["MEWCODE_HOME"])
    script = home / "noisy.py"
    script.write_text("import sys\nprint('hello', file=sys.stderr)\n")
    (home / "config.yaml").write_text(f"mcp_servers: {{noisy: {{command: {sys.executable}, args: ['{script}']}}}}\n")
    mewcode("mcp", "test", "noisy")
    log = Path(json.loads(mewcode("mcp", "get", "noisy", "--json").stdout)["log"])
    assert "hello" in log.read_text()
    assert [one.name for one in (home / "logs").glob("mcp*")] == [log.name]

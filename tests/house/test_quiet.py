"""No telemetry, no update check: nothing speaks to anybody but whom the settings name."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.endpoint import Turn, serve

GUARD = """
import os, sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        where = arguments[-1]
        if isinstance(where, tuple) and str(where[0]) not in ("127.0.0.1", "::1", "localhost"):
            tell(event, where)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        if str(arguments[0]) not in ("127.0.0.1", "::1", "localhost", "None"):
            tell(event, arguments[0])
def tell(event, where):
    with open(os.environ["TOLD"], "a") as file:
        file.write(f"{event} {where}\\n")
    raise OSError(f"no network here: {where}")
sys.addaudithook(watch)
"""
"""A sitecustomize that every Python process below takes in: refuses what leaves the machine, and writes it down."""
COMMANDS = (
    ["--version"],
    ["doctor"],
    ["tools", "list"],
    ["tools", "search", "read a file"],
    ["tools", "call", "read_file", "--args", '{"path": "a.py"}'],
    ["config", "show"],
    ["policy", "why", "run_command(curl https://example.com)"],
    ["audit", "verify"],
    ["sessions", "list"],
    ["model", "list"],
    ["run", "hello"],
    ["mcp", "list", "--offline"],
)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    guard = tmp_path / "guard"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(GUARD)
    monkeypatch.setenv("PYTHONPATH", str(guard))
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.py").write_text("print('hello')\n")
    return work


def mewcode(workspace: Path, *arguments: str, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [*before, sys.executable, "-m", "mewcode", *arguments]
    return subprocess.run(command, cwd=workspace, capture_output=True, text=True, timeout=120)


def test_nothing_is_sent_anywhere_but_to_the_model_of_the_settings(workspace: Path, tmp_path: Path) -> None:
    with serve([Turn("hello yourself")]) as endpoint:
        (Path(os.environ["MEWCODE_HOME"]) / "config.yaml").write_text(
            f"model: scripted:m\nproviders: {{scripted: {{type: openai, base_url: '{endpoint.url}', api_key: k}}}}\n"
        )
        for arguments in COMMANDS:
            done = mewcode(workspace, *arguments)
            assert done.returncode == 0, (arguments, done.stderr)
    assert not (tmp_path / "told").exists(), (tmp_path / "told").read_text()


def test_the_guard_of_these_tests_sees_a_server_elsewhere(workspace: Path, tmp_path: Path) -> None:
    (Path(os.environ["MEWCODE_HOME"]) / "config.yaml").write_text(
        "mcp_servers: {far: {url: 'https://example.invalid/mcp'}}"
    )
    [server] = json.loads(mewcode(workspace, "mcp", "list", "--json").stdout)
    assert server["state"] in ("retrying", "failed")
    assert "example.invalid" in (tmp_path / "told").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_without_any_network_everything_but_a_model_works(workspace: Path) -> None:
    alone = ("unshare", "--net", "--map-root-user")
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True).returncode != 0:
        pytest.skip("network namespaces are not permitted here")
    for arguments in COMMANDS[:5]:
        done = mewcode(workspace, *arguments, before=alone)
        assert done.returncode == 0, (arguments, done.stderr)

"""The MCP Inspector's command line against `mewcode serve`: it lists and calls every tool."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.server.clients import environment, new_token, serving, settings

FOLDER = Path(os.environ.get("MEWCODE_TEST_SERVERS") or Path(__file__).parents[2] / ".cache" / "servers")
PROGRAM = FOLDER / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
PATIENCE = 240.0
"""Seconds for one start of the Inspector on a loaded machine."""
ROLES = """
roles:
  everything: {tools: ['*'], read: ['**'], write: ['**']}
principals: {alice: {roles: [everything]}}
permissions:
  - {rule: "run_command(echo *)", effect: allow}
  - {rule: "write_file(*)", effect: allow}
  - {rule: "edit_file(*)", effect: allow}
sandbox: off
"""
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "edit_file": ({"path": "a.py", "old": "hello", "new": "goodbye"}, "goodbye"),
    "find_files": ({"pattern": "*.py"}, "a.py"),
    "read_file": ({"path": "b.py"}, "second = 2"),
    "run_command": ({"command": "echo spoken"}, "spoken"),
    "search_code": ({"query": "second"}, "b.py"),
    "write_file": ({"path": "c.py", "content": "third = 3\n"}, "c.py"),
}
"""Each tool with arguments, and what its answer must contain."""

pytestmark = [
    pytest.mark.skipif(not PROGRAM.exists(), reason="the Inspector is not installed; run tests/servers/install.sh"),
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.timeout(1200),
]


class Inspector:
    """`target` is the server, as in the Inspector's configuration."""

    def __init__(self, home: Path, workspace: Path, era: str, target: Mapping[str, Any]) -> None:
        self._home = home
        self._workspace = workspace
        self._era = era
        self._config = home / "servers.json"
        self._config.write_text(json.dumps({"mcpServers": {"mewcode": target}}))

    def ask(self, method: str, *more: str) -> dict[str, Any]:
        """The result of one request; fails the test with what the Inspector says where there is none."""
        server = ["--config", str(self._config), "--server", "mewcode", "--stored-auth-only"]
        options = ["--protocol-era", self._era, "--method", method, *more, "--format", "json", "-q"]
        done = subprocess.run(
            [str(PROGRAM), "--cli", *server, *options],
            cwd=self._workspace,
            env={**environment(), "HOME": str(self._home)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{method} {more}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)["result"]

    def call(self, name: str) -> str:
        result = self.ask("tools/call", "--tool-name", name, "--tool-args-json", json.dumps(CALLS[name][0]))
        return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_lists_and_calls_every_tool(workspace: Path, tmp_path: Path, transport: str, era: str) -> None:
    settings(ROLES)
    (workspace / "b.py").write_text("second = 2\n")
    if transport == "http":
        token = new_token("alice")
        door: Any = serving(workspace)
    else:
        door = nullcontext()
    with door as served:
        if served is None:
            arguments = ["-m", "mewcode", "serve", "--role", "everything"]
            target = {"command": sys.executable, "args": arguments, "env": environment()}
        else:
            target = {"type": "http", "url": served.url, "headers": {"Authorization": f"Bearer {token}"}}
        inspector = Inspector(tmp_path, workspace, era, target)
        names = [tool["name"] for tool in inspector.ask("tools/list", "--strict")["tools"]]
        assert names == sorted(CALLS)
        with ThreadPoolExecutor(2) as pool:
            answers = dict(zip(names, pool.map(inspector.call, names), strict=True))
    for name, answer in answers.items():
        assert CALLS[name][1] in answer, name
    assert (workspace / "a.py").read_text() == "print('goodbye')\n"
    assert (workspace / "c.py").read_text() == "third = 3\n"

"""What each client is put into: a workspace, a server of ours, and a scripted model that calls one tool of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.started import started
from tests.endpoint import Call, ModelEndpoint, Recorded, Turn, serve

SECRET = "the-word-that-only-the-file-knows"
TOKEN_VARIABLE = "MEWCODE_BENCHMARK_TOKEN"
WAIT = "WaitForMcpServers"
"""A tool of Claude Code's own, for models that need a server which still connects."""
MOST_WAITS = 5
SETTINGS = "roles: {dev: {tools: [read_file, search_code], read: ['**']}}\nprincipals: {alice: {roles: [dev]}}\n"


@dataclass(frozen=True)
class Scene:
    """`url` is None over stdio."""

    folder: Path
    home: Path
    work: Path
    endpoint: ModelEndpoint
    url: str | None = None
    token: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "mewcode", "serve", "--role", "dev"]


@contextmanager
def scene(folder: Path, door: str) -> Iterator[Scene]:
    home, work = folder / "home", folder / "work"
    environ = {**os.environ, "MEWCODE_HOME": str(home), "HOME": str(folder / "user")}
    (folder / "user").mkdir()
    with serve(_script) as endpoint:
        if door == "stdio":
            for one in (home, work):
                one.mkdir()
            (home / "config.yaml").write_text(SETTINGS)
            (work / "secret.txt").write_text(f"{SECRET}\n")
            yield Scene(folder, home, work, endpoint, environ=environ)
            return
        with started(folder, SETTINGS) as running:
            (work / "secret.txt").write_text(f"{SECRET}\n")
            add = [sys.executable, "-m", "mewcode", "serve", "token", "add", "alice"]
            added = subprocess.run(add, env=environ, cwd=work, capture_output=True, text=True, check=True)
            token = added.stdout.strip()
            yield Scene(folder, home, work, endpoint, running.url, token, {**environ, TOKEN_VARIABLE: token})


def _script(request: Recorded) -> Turn:
    """Calls read_file of our server once it is offered; says what came back."""
    text = request.raw.decode()
    if SECRET in text:
        return Turn(f"The file says {SECRET}.")
    tools = request.json.get("tools") or []
    name = offered(tools)
    if name is None and request.index < MOST_WAITS and any(tool.get("name") == WAIT for tool in tools):
        return Turn(calls=[Call(WAIT, id=f"call_wait_{request.index}")])
    if name is None or "secret.txt does not" in text:
        return Turn("There is nothing to do.")
    return Turn(calls=[Call(name, {"path": "secret.txt"}, id="call_mewcode")])


def offered(tools: list[dict[str, Any]]) -> str | None:
    """The name by which a request's tools have read_file of the server `mewcode`."""
    for tool in tools:
        if tool.get("type") == "namespace" and "mewcode" in tool.get("name", ""):
            inner = offered([{**one, "name": f"mewcode/{one['name']}"} for one in tool.get("tools", ())])
            if inner is not None:
                return f"{tool['name']}/{inner.rpartition('/')[2]}"
        name = str(tool.get("name") or (tool.get("function") or {}).get("name") or "")
        if "mewcode" in name and name.endswith("read_file"):
            return name
    return None


def judge(at: Scene, door: str, output: str) -> list[str]:
    """What went wrong; empty when the client read the file through our server, and the audit knows."""
    listing = [sys.executable, "-m", "mewcode", "audit", "list", "--json"]
    listed = subprocess.run(listing, env=dict(at.environ), cwd=at.work, capture_output=True, text=True, check=True)
    calls = [one for one in json.loads(listed.stdout) if one["tool"] == "read_file"]
    wrong: list[str] = []
    if SECRET not in output:
        wrong.append("the client's answer does not have what the file says")
    if not any(one["outcome"] == "ok" and one["door"] == f"serve_{door}" for one in calls):
        wrong.append(f"the audit has no such call: {calls}")
    if not any("<mewcode-data" in request.raw.decode() for request in at.endpoint.requests):
        wrong.append("the model was not given our fenced result")
    return wrong

"""The whole house around a run: real settings, gate, tools and audit; only the model endpoint is scripted."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endpoint import ModelEndpoint

from mewcode.agent import Limits
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.headless import Progress, Run, RunOptions, RunResult, Task, open_output, watched_signals
from mewcode.headless.opening import SessionChoice, open_house

WIRES = ("openai", "anthropic")


@dataclass(frozen=True)
class Ran:
    result: RunResult
    lines: list[dict[str, Any]]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]


def write_settings(endpoint: ModelEndpoint, wire: str = "openai", more: str = "") -> Path:
    """Makes the scripted endpoint the model of this test's home."""
    home = Path(os.environ["MEWCODE_HOME"])
    url = endpoint.anthropic_url if wire == "anthropic" else endpoint.url
    text = (
        f"model: scripted:model\nproviders:\n  scripted: {{type: {wire}, base_url: '{url}', api_key: test-key}}\n"
        f"sandbox: 'off'\n{more}"
    )
    path = home / "config.yaml"
    path.write_text(text)
    return path


async def run_here(
    workspace: Path,
    task: str,
    *,
    session: SessionChoice | None = None,
    limits: Limits | None = None,
    required_servers: tuple[str, ...] = (),
    **more: Any,
) -> Ran:
    """A run in this process; `more` are AppOptions."""
    out = io.StringIO()
    sink = open_output("stream-json", out)
    options = AppOptions(door=Door.RUN, workspace=workspace, **more)
    async with watched_signals() as signals, open_house(options, session or SessionChoice()) as house:
        wanted = RunOptions(Task(task), limits or Limits(), required_servers=required_servers)
        run = Run(house, wanted, sink, Progress(io.StringIO(), shown=False), signals)
        result = await run.run()
    return Ran(result, [json.loads(line) for line in out.getvalue().splitlines()])


def start_process(workspace: Path, *arguments: str, **more: Any) -> "subprocess.Popen[str]":
    """`mewcode run` as a process of its own, in this test's home."""
    return subprocess.Popen(
        [sys.executable, "-m", "mewcode", "run", *arguments],
        cwd=workspace,
        stdin=more.pop("stdin", subprocess.DEVNULL),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def messages_sent(endpoint: ModelEndpoint, request: int) -> str:
    """What the model got to read in a request, as text."""
    return json.dumps(endpoint.requests[request].messages, ensure_ascii=False)

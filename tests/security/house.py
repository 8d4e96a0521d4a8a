"""The whole house around a few calls: real settings, gate, tools, servers and audit."""

import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.agent.scripted import Reply, ScriptedModel

from mewcode.agent import QuestionAsked, ToolCallFinished
from mewcode.app.house import App
from mewcode.app.options import AppOptions
from mewcode.calls import Answer, Door, Question, Remember, ToolCall, ToolResult
from mewcode.models import ModelProfile

WITHIN = 120.0
"""Seconds that a process may take on a loaded machine."""


def write_settings(text: str) -> Path:
    """The user's own settings in this test's home."""
    file = Path(os.environ["MEWCODE_HOME"]) / "config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file


def options(workspace: Path, door: Door = Door.TERMINAL, **more: Any) -> AppOptions:
    return AppOptions(door=door, workspace=workspace.resolve(), **more)


async def call(
    app: App, tool: str, arguments: Mapping[str, Any] | None = None, answer: Answer | None = None, session: str = "s1"
) -> ToolResult | Question:
    return await app.gate.call(ToolCall(tool, arguments or {}, session, app.principal), answer)


async def result(app: App, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> ToolResult:
    reply = await call(app, tool, arguments, **more)
    assert isinstance(reply, ToolResult), reply
    return reply


async def question(app: App, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Question:
    reply = await call(app, tool, arguments, **more)
    assert isinstance(reply, Question), reply
    return reply


def yes(asked: Question, remember: Remember = Remember.ONCE) -> Answer:
    return Answer(asked.id, asked.fingerprint, allow=True, remember=remember, answered_by="alice")


async def converse(
    app: App,
    calls: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    allow: bool = False,
    profile: ModelProfile | None = None,
) -> tuple[list[Question], list[ToolResult]]:
    """A turn of an agent whose model makes `calls`, one a step; every question is answered alike."""
    model = ScriptedModel(*(Reply(calls=[(tool, dict(arguments))]) for tool, arguments in calls), profile=profile)
    session = app.sessions.create(app.workspace, model.name)
    asked: list[Question] = []
    results: list[ToolResult] = []
    async with app.agent(model, session) as agent:
        async for event in agent.run("go"):
            if isinstance(event, QuestionAsked):
                asked.append(event.question)
                agent.answer(event.question.id, replace(yes(event.question), allow=allow))
            if isinstance(event, ToolCallFinished):
                results.append(event.result)
    return asked, results


def mewcode(workspace: Path, *arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """`mewcode …` as a process of its own, in this test's home."""
    return subprocess.run(
        [sys.executable, "-m", "mewcode", *arguments],
        cwd=workspace,
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )


def trap(folder: Path, name: str) -> tuple[str, Path]:
    """A command that leaves a mark when anybody runs it, and the file that would be the mark."""
    folder.mkdir(parents=True, exist_ok=True)
    mark, script = folder / f"{name}.ran", folder / f"{name}.sh"
    script.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\ncat >/dev/null 2>&1 </dev/null\n")
    script.chmod(0o755)
    return str(script), mark

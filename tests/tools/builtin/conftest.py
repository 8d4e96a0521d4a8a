"""The built-in tools on a small workspace."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mewcode.calls import Principal, Scope, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin import BuiltinSettings, builtin_tools
from mewcode.workspace.checkpoints import Checkpoints

Use: TypeAlias = Callable[..., Awaitable[ToolResult]]
ENVIRON = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "MY_TOKEN": "t0p",
    "ALLOWED": "yes",
    "OPENAI_API_KEY": "sk-secret",
    "BASH_ENV": "/tmp/evil",
    "BASH_FUNC_ls%%": "() { echo evil; }",
    "RIPGREP_CONFIG_PATH": "/tmp/evil",
    "JAVA_HOME": "/opt/java",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def checkpoints(tmp_path: Path) -> Checkpoints:
    return Checkpoints(tmp_path / "checkpoints")


@pytest.fixture
def tools(tmp_path: Path, checkpoints: Checkpoints) -> dict[str, Tool]:
    settings = BuiltinSettings(
        outputs=tmp_path / "outputs", command_timeout=60, command_environment=("ALLOWED", "BASH_ENV")
    )
    return {tool.name: tool for tool in builtin_tools(settings, history=checkpoints, environ=ENVIRON)}


@pytest.fixture
def use(tools: dict[str, Tool], folder: Path) -> Use:
    async def call(tool: str, session: str = "s", scope: Scope | None = None, **arguments: Any) -> ToolResult:
        chosen = scope or Scope(roots=(folder,))
        return await tools[tool].execute(ToolCall(tool, arguments, session, Principal("tester"), scope=chosen))

    return call

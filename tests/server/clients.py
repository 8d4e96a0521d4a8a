"""Clients of `mewcode serve` for tests: the SDK's own, over real processes and real sockets."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client, StdioServerParameters, stdio_client
from mewcode.server.identity.token_file import TokenFile

PATIENCE = 120.0
"""Seconds that a request may take on a loaded machine."""
ERAS = ("auto", "legacy")


@asynccontextmanager
async def stdio(workspace: Path, *arguments: str, era: Any = "auto", **client: Any) -> AsyncGenerator[Client]:
    """A client of a server process of its own."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "mewcode", "serve", *arguments], env=environment(), cwd=workspace
    )
    with open(workspace.parent / "serve.log", "a") as log:
        transport = stdio_client(parameters, errlog=log)
        async with Client(transport, mode=era, read_timeout_seconds=PATIENCE, **client) as connected:
            yield connected


def environment() -> dict[str, str]:
    names = ("MEWCODE_HOME", "MEWCODE_MANAGED_CONFIG", "MEWCODE_LANG", "PATH", "HOME")
    return {name: os.environ[name] for name in names if name in os.environ}


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def settings(text: str) -> None:
    """Writes the user's settings of this test."""
    home = Path(os.environ["MEWCODE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.yaml").write_text(text)


def kind_of(result: Any) -> str | None:
    """The kind of the error of a result, None where it has none."""
    return (result.meta or {}).get("mewcode/error", {}).get("kind")


@dataclass
class Served:
    """A server process that listens on `url`; `said` are the lines of its standard error."""

    url: str
    process: "subprocess.Popen[str]"
    said: list[str]

    @property
    def base(self) -> str:
        return self.url.removesuffix("/mcp")

    def end(self) -> int:
        """Ends it in order, and returns its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(PATIENCE)


@contextmanager
def serving(workspace: Path, *arguments: str, more_environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A server over HTTP on a free port of the loopback interface."""
    command = [sys.executable, "-m", "mewcode", "serve", "--http", "127.0.0.1:0", *arguments]
    process = subprocess.Popen(
        command,
        cwd=workspace,
        env={**environment(), **(more_environment or {})},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said: list[str] = []
    try:
        for line in process.stderr:
            said.append(line)
            if (found := re.search(r"https?://\S+/mcp", line)) is not None:
                break
        else:
            raise AssertionError(f"the server ended: {''.join(said)}")
        threading.Thread(target=said.extend, args=(process.stderr,), daemon=True).start()
        yield Served(found.group(), process, said)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@dataclass(frozen=True)
class Shared:
    """A server that several tests share, as each costs seconds to start: tests that change nothing that others see."""

    served: Served
    workspace: Path
    home: Path

    def token(self, name: str, *arguments: str) -> str:
        with at_home(self.home):
            return new_token(name, *arguments)


@contextmanager
def at_home(home: Path) -> Iterator[None]:
    """MewCode's surroundings for what is started within: those of a test do not outlive it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEWCODE_HOME", str(home))
        patch.setenv("MEWCODE_MANAGED_CONFIG", "")
        patch.setenv("MEWCODE_LANG", "en")
        yield


@contextmanager
def shared(
    folder: Path, text: str, *arguments: str, more_environment: Mapping[str, str] | None = None
) -> Iterator[Shared]:
    """For a fixture of a module: `text` are the settings; the workspace has `a.py`, as that of every test."""
    home, workspace = folder / "home", folder / "work"
    workspace.mkdir()
    (workspace / "a.py").write_text("print('hello')\n")
    with ExitStack() as stack:
        with at_home(home):
            settings(text)
            served = stack.enter_context(serving(workspace, *arguments, more_environment=more_environment))
        yield Shared(served, workspace, home)


@asynccontextmanager
async def http(url: str, token: str | None = None, era: Any = "auto", **client: Any) -> AsyncGenerator[Client]:
    """A client over HTTP, with a token where one is given."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(PATIENCE, read=None), trust_env=False) as requests,
        Client(
            streamable_http_client(url, http_client=requests), mode=era, read_timeout_seconds=PATIENCE, **client
        ) as connected,
    ):
        yield connected


def new_token(name: str, *arguments: str) -> str:
    """Makes a token as `mewcode serve token add` does."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    role = options.get("--role")
    file = TokenFile(Path(os.environ["MEWCODE_HOME"]) / "tokens" / "serve.json")
    return file.add(
        name,
        principal=options.get("--principal"),
        roles=() if role is None else (role,),
        expires=options.get("--expires"),
    )

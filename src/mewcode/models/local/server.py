"""The process that serves the embedded model: started, spoken to, and ended by its owner."""

import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from mewcode.errors import ModelError

if TYPE_CHECKING:
    import httpx2
    from anyio.abc import Process

START_SECONDS = 120.0
"""Loading takes about two seconds from a warm disk, far longer from a slow one."""
IDLE_SECONDS = 300.0
"""A full prompt is read at about 90 tokens a second, without a byte in between."""
_SECONDS_TO_END = 2.0

_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV")


@dataclass(frozen=True)
class LaunchSettings:
    """What the launcher needs. `slots` is a folder for saved prompts; threads count cores."""

    model: Path
    slots: Path
    context: int
    threads: int
    batch_threads: int

    @classmethod
    def for_this_machine(cls, model: Path, slots: Path, context: int) -> "LaunchSettings":
        """Half the cores (at least two) generate, so that the user's own tests keep some; all of them read prompts."""
        cores = os.cpu_count() or 2
        return cls(model, slots, context, max(cores // 2, 2), max(cores, 2))


class LlamaServer:
    """A running llama.cpp server. Close it, or it ends with this process."""

    def __init__(self, process: "Process", client: "httpx2.AsyncClient") -> None:
        self._process = process
        self.client = client

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def close(self) -> None:
        await self.client.aclose()
        await _end(self._process)


async def start_server(settings: LaunchSettings, log: Path, environ: Mapping[str, str] | None = None) -> LlamaServer:
    """Starts the server and waits until the weights are loaded.

    Raises ModelError with the end of the server's log when it does not come up in time.
    """
    import httpx2

    key = secrets.token_urlsafe(24)
    process = await _launch(log, os.environ if environ is None else environ)
    url = None
    try:
        with anyio.move_on_after(START_SECONDS):
            url = await _handshake(process, settings, key)
    finally:
        if url is None:
            await _end(process)
    if url is None:
        raise ModelError("models.embedded_start", model=settings.model.name, detail=_end_of(log))
    client = httpx2.AsyncClient(
        base_url=url,
        headers={"authorization": f"Bearer {key}"},
        timeout=httpx2.Timeout(IDLE_SECONDS, connect=5),
        trust_env=False,  # a proxy has no business between us and our own process
    )
    return LlamaServer(process, client)


async def _launch(log: Path, environ: Mapping[str, str]) -> "Process":
    from subprocess import PIPE

    # Without the spin count, OpenMP's threads burn the cores that the user's tests need, and wait for them in turn.
    env = {name: environ[name] for name in _KEPT_VARIABLES if name in environ} | {"GOMP_SPINCOUNT": "1000"}
    launcher = str(Path(__file__).with_name("launcher.py"))
    with log.open("wb") as stderr:
        return await anyio.open_process(
            [sys.executable, "-E", launcher], stdin=PIPE, stdout=PIPE, stderr=stderr, env=env, start_new_session=True
        )


async def _handshake(process: "Process", settings: LaunchSettings, key: str) -> str | None:
    """The server's URL, None when it ended or reported an error."""
    assert process.stdin is not None and process.stdout is not None
    request = {
        "model": str(settings.model),
        "slots": f"{settings.slots}{os.sep}",
        "context": settings.context,
        "threads": settings.threads,
        "batch_threads": settings.batch_threads,
        "api_key": key,
    }
    received = b""
    try:
        await process.stdin.send(json.dumps(request).encode() + b"\n")
        while not received.endswith(b"\n"):
            received += await process.stdout.receive()
    except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return None
    answer = json.loads(received)
    return answer.get("url")


async def _end(process: "Process") -> None:
    """Cutting the lifeline ends the server; what does not heed it is killed. Its pipes are closed with it."""
    with anyio.CancelScope(shield=True):
        if process.stdin is not None:
            await process.stdin.aclose()
        with anyio.move_on_after(_SECONDS_TO_END):
            await process.wait()
        if process.returncode is None:
            process.kill()
        await process.aclose()


def _end_of(log: Path) -> str:
    try:
        text = log.read_text(errors="replace")
    except OSError:
        return "-"
    return " ".join(text[-400:].split()) or "it did not start in time"

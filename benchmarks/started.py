"""Starts `mewcode serve` for a benchmark, with settings of its own."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Started:
    url: str
    process: "subprocess.Popen[str]"
    home: Path
    work: Path


@contextmanager
def started(folder: Path, settings: str, *arguments: str) -> Iterator[Started]:
    """A server on a free port of the loopback interface; its settings and its workspace are folders under `folder`."""
    home, work = folder / "home", folder / "work"
    for one in (home, work):
        one.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(settings)
    command = [sys.executable, "-m", "mewcode", "serve", "--http", "127.0.0.1:0", *arguments]
    environ = {**os.environ, "MEWCODE_HOME": str(home)}
    process = subprocess.Popen(
        command, cwd=work, env=environ, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        said = ""
        while (found := re.search(r"http://\S+/mcp", said)) is None:
            line = process.stderr.readline()
            if not line:
                raise SystemExit(f"mewcode serve ended: {said}")
            said += line
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield Started(found.group(), process, home, work)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(120)

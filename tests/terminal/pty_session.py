"""MewCode in a real pseudo-terminal: keys go in, and a terminal emulator says what a person would see."""

import json
import os
import signal
import sys
import termios
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte
from tests.endpoint import ModelEndpoint

DEADLINE = 90.0
"""Seconds; only a hung program needs them."""
ENTER, ESCAPE, TAB, SHIFT_TAB = "\r", "\x1b", "\t", "\x1b[Z"
CTRL_C, CTRL_D, CTRL_G, CTRL_J = "\x03", "\x04", "\x07", "\n"
CTRL_O, CTRL_R, CTRL_T, CTRL_U, CTRL_V = "\x0f", "\x12", "\x14", "\x15", "\x16"
UP, DOWN = "\x1b[A", "\x1b[B"


class PtySession:
    """A running `mewcode`. `screen` is what is visible now, `everything` what was printed too."""

    def __init__(self, child: "pexpect.spawn[bytes]", columns: int, rows: int) -> None:
        self.child = child
        self.emulator = pyte.HistoryScreen(columns, rows, history=5000, ratio=0.5)
        self._stream = pyte.ByteStream(self.emulator)
        self.raw = b""

    # --- looking -----------------------------------------------------------------------------------------------

    @property
    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self.emulator.display)

    @property
    def everything(self) -> str:
        top = ["".join(line[x].data for x in sorted(line)) for line in self.emulator.history.top]
        return "\n".join([*(line.rstrip() for line in top), self.screen])

    def read(self, seconds: float = 0.05) -> bool:
        """Whether there was something."""
        try:
            data = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.raw += data
        self._stream.feed(data)
        return True

    def wait_for(self, *texts: str, gone: str | None = None) -> None:
        """Until every one of `texts` was printed or is visible, and `gone` is not visible."""
        ends, first = time.monotonic() + DEADLINE, True
        while time.monotonic() < ends:
            if not self.read() and not first:
                continue
            first, seen = False, self.everything
            if all(text in seen for text in texts) and (gone is None or gone not in self.screen):
                return
        raise AssertionError(f"{texts} (gone: {gone}) did not come. The terminal shows:\n{self.everything}")

    # --- typing ------------------------------------------------------------------------------------------------

    def send(self, keys: str) -> None:
        self.child.send(keys.encode())

    def say(self, text: str) -> None:
        self.send(text)
        self.wait_for(text.splitlines()[-1][-10:])
        self.send(ENTER)

    def resize(self, columns: int, rows: int) -> None:
        self.child.setwinsize(rows, columns)
        self.emulator.resize(rows, columns)

    # --- ending ------------------------------------------------------------------------------------------------

    def wait_end(self) -> int:
        """The exit code; negative for a signal that killed it."""
        ends = time.monotonic() + DEADLINE
        while self.child.isalive() and time.monotonic() < ends:
            self.read()
        self.read()
        assert not self.child.isalive(), f"it did not end; the terminal shows:\n{self.everything}"
        return self.child.exitstatus if self.child.exitstatus is not None else -int(self.child.signalstatus or 0)

    def quit(self) -> int:
        self.send(CTRL_D)
        return self.wait_end()

    @property
    def is_sane(self) -> bool:
        """Echo, lines and signals as the shell had them, and the cursor shown."""
        local = termios.tcgetattr(self.child.child_fd)[3]
        flags = termios.ECHO | termios.ICANON | termios.ISIG
        hidden = self.raw.rfind(b"\x1b[?25l") > self.raw.rfind(b"\x1b[?25h")
        pastes = self.raw.rfind(b"\x1b[?2004h") > self.raw.rfind(b"\x1b[?2004l")
        return local & flags == flags and not hidden and not pastes


def settings_for(endpoint: ModelEndpoint, extra: str = "") -> str:
    provider = {"type": "openai", "base_url": endpoint.url, "api_key": "x"}
    return f"model: fake:m\nproviders:\n  fake: {json.dumps(provider)}\n{extra}\n"


@contextmanager
def running(
    workspace: Path,
    *arguments: str,
    settings: str = "",
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
) -> Generator[PtySession, None, None]:
    """Starts `mewcode` in `workspace` with `settings` as the user's config.yaml (MEWCODE_HOME is the test's own)."""
    home = Path(os.environ["MEWCODE_HOME"])
    if settings:
        home.mkdir(parents=True, exist_ok=True)
        (home / "config.yaml").write_text(settings, encoding="utf-8")
    child = pexpect.spawn(
        sys.executable,
        ["-c", "from mewcode.cli.main import main; main()", *arguments],
        cwd=str(workspace),
        env={**os.environ, "TERM": "xterm-256color", **(environ or {})},
        dimensions=(rows, columns),
        timeout=DEADLINE,
    )
    session = PtySession(child, columns, rows)
    try:
        yield session
    finally:
        if child.isalive():
            child.kill(signal.SIGKILL)
        child.close()

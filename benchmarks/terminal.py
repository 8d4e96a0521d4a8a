"""How soon the prompt is there, how quick keys are while an answer streams, and what 200 turns cost in memory.

    python benchmarks/terminal.py [--runs 7] [--turns 200]

Everything is measured from outside, in a pseudo-terminal, against a scripted endpoint on 127.0.0.1:

- prompt: from the start of the process until the input line is drawn and the keyboard is read;
- first key: from the start until a key that was typed at once is shown in the input line;
- bare: the same for a Python program that only imports prompt_toolkit and shows a prompt, which is what no program of
  this kind can undercut on this machine;
- keys: from a key stroke to its echo, while an answer of about 200 tokens a second is rendered; and in processor time,
  which other programs on the machine change least: a second of such an answer, a key in it and a key at rest;
- files: the first and the later completions of `@` over 100,000 files;
- memory: resident after the turns.
"""

import argparse
import json
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.endpoint import Fault, ModelEndpoint, Turn, serve

MEWCODE = [sys.executable, "-c", "from mewcode.cli.main import main; main()"]
BARE = [sys.executable, "-c", "from prompt_toolkit import PromptSession; PromptSession().prompt('> ')"]
PROMPT = b"\x1b[?2004h"
"""Bracketed paste is switched on with the first frame."""


class Terminal:
    def __init__(self, command: list[str], home: Path, workspace: Path) -> None:
        self.started = time.perf_counter()
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(workspace)
            environ = {**os.environ, "MEWCODE_HOME": str(home), "MEWCODE_MANAGED_CONFIG": "", "TERM": "xterm-256color"}
            os.execve(command[0], command, environ)
        self.pid = pid
        ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.seen = b""

    def until(self, found: Callable[[bytes], bool], seconds: float = 120.0) -> float:
        """Seconds since the start at which the output fits."""
        ends = time.perf_counter() + seconds
        while not found(self.seen):
            if time.perf_counter() > ends:
                raise TimeoutError(self.seen[-2000:])
            ready, _, _ = select.select([self.fd], [], [], 0.5)
            if ready:
                self.seen += os.read(self.fd, 1 << 16)
        return time.perf_counter() - self.started

    def send(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    @property
    def busy(self) -> float:
        """Seconds of processor time so far, all threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def watch(self, seconds: float) -> None:
        """Reads what is drawn, as a terminal does."""
        ends = time.perf_counter() + seconds
        self.until(lambda seen: time.perf_counter() > ends)

    @property
    def resident(self) -> float:
        """MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def time_to_prompt(command: list[str], home: Path, workspace: Path) -> tuple[float, float]:
    """Seconds until the prompt stands, and until a key typed at the very start is shown."""
    terminal = Terminal(command, home, workspace)
    try:
        prompt = terminal.until(lambda seen: PROMPT in seen and b">" in seen.partition(PROMPT)[2])
    finally:
        terminal.close()
    terminal = Terminal(command, home, workspace)
    try:
        terminal.send("q")
        key = terminal.until(lambda seen: PROMPT in seen and b"q" in seen.partition(PROMPT)[2])
    finally:
        terminal.close()
    return prompt, key


def key_latencies(home: Path, workspace: Path, keys: int) -> list[float]:
    """Milliseconds from key to echo while an answer streams."""
    terminal = Terminal(MEWCODE, home, workspace)
    found: list[float] = []
    try:
        terminal.until(lambda seen: b"fake:" in seen)
        terminal.send("stream\r")
        terminal.until(lambda seen: b"word" in seen)
        for number in range(keys):
            letter = chr(ord("A") + number % 26)
            time.sleep(0.05)
            terminal.until(lambda seen: not select.select([terminal.fd], [], [], 0)[0])
            terminal.seen = b""
            began = time.perf_counter()
            terminal.send(letter)
            terminal.until(lambda seen, letter=letter: letter.encode() in seen)
            found.append((time.perf_counter() - began) * 1000)
    finally:
        terminal.close()
    return found


def processor_times(home: Path, workspace: Path, keys: int) -> tuple[float, float, float]:
    """Milliseconds of processor time: a second in which an answer streams, a key meanwhile, a key at rest."""
    terminal = Terminal(MEWCODE, home, workspace)
    try:
        terminal.until(lambda seen: b"fake:" in seen)
        terminal.watch(3)
        at_rest = _cost(terminal, keys)
        terminal.send("\x15stream\r")
        terminal.until(lambda seen: b"word" in seen)
        terminal.watch(2)
        before, began = terminal.busy, time.perf_counter()
        terminal.watch(8)
        share = (terminal.busy - before) / (time.perf_counter() - began)
        streaming = _cost(terminal, keys, share)
        return share * 1000, streaming * 1000, at_rest * 1000
    finally:
        terminal.close()


def _cost(terminal: Terminal, keys: int, share: float = 0.0) -> float:
    """Processor time of a key, beyond the share that is used without any."""
    before, began = terminal.busy, time.perf_counter()
    for number in range(keys):
        terminal.send(chr(ord("A") + number % 26))
        terminal.watch(0.05)
    return (terminal.busy - before - share * (time.perf_counter() - began)) / keys


def memory_after(home: Path, workspace: Path, turns: int) -> tuple[float, float]:
    """MB after the first and after the last turn."""
    terminal = Terminal(MEWCODE, home, workspace)
    try:
        terminal.until(lambda seen: b"fake:" in seen)
        first = 0.0
        for number in range(turns):
            terminal.seen = b""
            terminal.send(f"m{number}\r")
            terminal.until(lambda seen, number=number: f"Answer {number} ends".encode() in seen)
            first = first or terminal.resident
        return first, terminal.resident
    finally:
        terminal.close()


def completion_times(count: int) -> tuple[float, list[float]]:
    """Milliseconds of the first completion (with the listing), and of later ones."""
    from mewcode.terminal.file_names import FileNames

    with tempfile.TemporaryDirectory() as folder:
        for directory in range(count // 100):
            inside = Path(folder) / f"package_{directory // 10}" / f"module_{directory}"
            inside.mkdir(parents=True)
            for number in range(100):
                (inside / f"file_{directory}_{number}.py").touch()
        names = FileNames(Path(folder))
        first = _timed(lambda: names.matching("file_99_9"))
        return first, [
            _timed(lambda typed=typed: names.matching(typed)) for typed in ("", "f", "mod", "999_9", "pkg1f")
        ]


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def write_settings(home: Path, endpoint: ModelEndpoint) -> None:
    home.mkdir(exist_ok=True)
    provider = {"type": "openai", "base_url": endpoint.url, "api_key": "x"}
    (home / "config.yaml").write_text(f"model: fake:m\nproviders:\n  fake: {json.dumps(provider)}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--only", choices=("prompt", "keys", "memory", "files"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home, workspace = Path(folder) / "home", Path(folder) / "work"
        workspace.mkdir()
        subprocess.run(["git", "init", "-q", str(workspace)], check=True)
        if options.only in (None, "prompt"):
            with serve([Turn("x")]) as endpoint:
                write_settings(home, endpoint)
                rounds = [
                    (time_to_prompt(MEWCODE, home, workspace), time_to_prompt(BARE, home, workspace))
                    for _ in range(options.runs)
                ]
            ours, bare = zip(*rounds, strict=True)
            _say("prompt", [one[0] for one in ours], "s")
            _say("first key", [one[1] for one in ours], "s")
            _say("bare prompt", [one[0] for one in bare], "s")
        if options.only in (None, "keys"):
            words = 200 * 30
            slow = Turn("word " * words, pieces=words, fault=Fault("slow", seconds=0.005))
            with serve(lambda request: slow) as endpoint:
                write_settings(home, endpoint)
                _say("keys", key_latencies(home, workspace, options.keys), "ms")
                second, key, at_rest = processor_times(home, workspace, options.keys)
                print(
                    f"processor    {second:.0f} ms a second of the answer, {key:.1f} a key in it, {at_rest:.1f} at rest"
                )
        if options.only in (None, "memory"):
            with serve(lambda request: Turn(f"# Answer\n\n{'text ' * 200}\n\nAnswer {request.index} ends")) as endpoint:
                write_settings(home, endpoint)
                first, last = memory_after(home, workspace, options.turns)
                print(f"memory       {first:.0f} MB after 1 turn, {last:.0f} MB after {options.turns}")
        if options.only in (None, "files"):
            first, later = completion_times(100_000)
            print(f"files        {first:.0f} ms first, then {', '.join(f'{one:.0f}' for one in later)} ms")


def _say(name: str, values: list[float], unit: str) -> None:
    ordered = sorted(values)
    worst = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<12} median {statistics.median(values):.3g} {unit}, p95 {worst:.3g}, least {ordered[0]:.3g}")


if __name__ == "__main__":
    main()

"""Many calls at once through the gateway to upstreams that die, hang, leak and answer slowly.

    python benchmarks/soak.py [--calls 100000] [--at-once 64] [--minutes 240] [--json FILE]

Each call carries a text of its own, and its answer must be that text or an error that says what happened: anything
else, or nothing within two minutes, counts as lost. Meanwhile the memory of the server is sampled, and its metrics are
looked at for circuit breakers that open and upstreams that come back. At the end every upstream must answer again, the
server must end in order, and no process that was started may be left (Linux: /proc is looked at). After so many
minutes it makes no further calls, and says how many it made.

Exits with 1 when a call was lost, a process was left, an upstream did not recover, no breaker opened, or the memory of
the last tenth is more than a tenth and 16 MiB above that after the first fifth.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.http_caller import HttpCaller
from benchmarks.started import started

SERVER = Path(__file__).with_name("soak_server.py")
MODES = {"good": 60, "slow": 12, "leaks": 12, "dies": 8, "hangs": 8}
"""Shares of the calls, in percent."""
TIMEOUTS = {"good": "60s", "slow": "60s", "leaks": "60s", "dies": "60s", "hangs": "5s"}
LOST_AFTER = 120.0
RECOVERS_WITHIN = 120.0
SETTINGS = """
mcp_servers:
{servers}
permissions: [{{rule: "mcp_*(*)", effect: allow}}]
trust: {{escalate: false}}
limits:
  per_minute: 100000000
  concurrent: 10000
  breaker: {{failures: 5, window: 60s, open_for: 2s}}
"""


@dataclass
class Seen:
    """What happened, as far as the soak goes on."""

    answers: dict[str, Counter[str]] = field(default_factory=lambda: {mode: Counter() for mode in MODES})
    lost: list[str] = field(default_factory=list)
    memory: list[tuple[int, float]] = field(default_factory=list)
    """Calls that were made, and MiB of resident memory."""
    states: set[tuple[str, str, str]] = field(default_factory=set)
    processes: set[int] = field(default_factory=set)
    done: int = 0


async def soak(url: str, pid: int, calls: int, at_once: int, minutes: float) -> Seen:
    seen = Seen()
    modes = random.Random(1).choices(list(MODES), weights=list(MODES.values()), k=calls)
    until = time.monotonic() + 60 * minutes
    numbers = itertools.takewhile(lambda _: time.monotonic() < until, enumerate(modes))
    watching = asyncio.create_task(watch(seen, url, pid))
    await asyncio.gather(*(caller(seen, url, numbers) for _ in range(at_once)))
    watching.cancel()
    return seen


async def caller(seen: Seen, url: str, numbers: Iterator[tuple[int, str]]) -> None:
    http = HttpCaller(url, None)
    for number, mode in numbers:
        text = f"call {number} of its own."
        try:
            status, answer = await asyncio.wait_for(http.ask(f"{mode}_echo", text), LOST_AFTER)
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            seen.lost.append(f"{mode} {number}: {type(error).__name__} {error}")
            await http.close()
            continue
        seen.answers[mode][kind(status, answer, text)] += 1
        seen.done += 1
    await http.close()


def kind(status: int, answer: bytes, text: str) -> str:
    """`ok`, the kind of the error, or `wrong` for an answer that is not one of this call."""
    if b'"isError":true' in answer:
        found = re.search(rb'"mewcode/error":\{[^}]*"kind":"(\w+)"', answer)
        return found[1].decode() if found else "tool_error"
    if b'"error"' in answer and b'"result"' not in answer:
        return f"error {status}"
    return "ok" if status == 200 and text.encode() in answer else "wrong"


async def watch(seen: Seen, url: str, pid: int) -> None:
    while True:
        seen.memory.append((seen.done, resident(pid)))
        seen.processes |= descendants(pid)
        page = await asyncio.to_thread(metrics, url)
        for name, labels in re.findall(r"^mewcode_(breaker|upstream)\w*\{(.*)\} 1\.0$", page, re.MULTILINE):
            pairs = dict(re.findall(r'(\w+)="([^"]*)"', labels))
            seen.states.add((name, pairs.get("server", ""), pairs.get("state", "")))
        await asyncio.sleep(0.5)


def metrics(url: str) -> str:
    try:
        with urllib.request.urlopen(f"{url.removesuffix('/mcp')}/metrics", timeout=30) as response:
            return response.read().decode()
    except OSError:
        return ""


async def recovered(url: str) -> list[str]:
    """Upstreams that do not answer again."""
    http, missing = HttpCaller(url, None), list[str]()
    for mode in MODES:
        until = time.monotonic() + RECOVERS_WITHIN
        while kind(*await http.ask(f"{mode}_echo", "again."), "again.") != "ok":
            if time.monotonic() > until:
                missing.append(mode)
                break
            await asyncio.sleep(0.5)
    await http.close()
    return missing


def resident(pid: int) -> float:
    """MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def descendants(pid: int) -> set[int]:
    try:
        children = {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
    except OSError:
        return set()
    return children.union(*(descendants(child) for child in children))


def left(processes: set[int]) -> list[str]:
    """Those that still run, as what they are."""
    found: list[str] = []
    for pid in processes:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state != "Z" and ("soak_server" in command or "sleep 86400" in command):
            found.append(f"{pid} {command}")
    return found


def grown(memory: list[tuple[int, float]]) -> tuple[float, float]:
    """MiB after the first fifth, and in the last tenth (medians)."""
    calls = max(1, memory[-1][0])
    early = [size for done, size in memory if 0.2 <= done / calls < 0.3] or [memory[0][1]]
    late = [size for done, size in memory if done / calls >= 0.9] or [memory[-1][1]]
    return statistics.median(early), statistics.median(late)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    servers = "\n".join(
        f'  {mode}: {{command: "{sys.executable}", args: ["{SERVER.resolve()}", {mode}], timeout: {TIMEOUTS[mode]}}}'
        for mode in MODES
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        arguments = ["--no-auth", "--upstreams", "all", "--prefix", "{server}_"]
        running = stack.enter_context(started(folder, SETTINGS.format(servers=servers), *arguments))
        began = time.monotonic()
        seen = asyncio.run(soak(running.url, running.process.pid, options.calls, options.at_once, options.minutes))
        seconds = time.monotonic() - began
        missing = asyncio.run(recovered(running.url))
        seen.processes |= descendants(running.process.pid)
        running.process.terminate()
        code = running.process.wait(120)
        time.sleep(1)
        orphans = left(seen.processes)
    early, late = grown(seen.memory)
    opened = sorted({server for name, server, state in seen.states if name == "breaker" and state == "open"})
    wrong = sum(answers["wrong"] for answers in seen.answers.values())
    found = {
        "calls": seen.done + len(seen.lost),
        "seconds": round(seconds, 1),
        "calls a second": round(seen.done / seconds, 1),
        "answers": {mode: dict(answers) for mode, answers in seen.answers.items()},
        "lost": len(seen.lost),
        "wrong": wrong,
        "memory after a fifth, at the end (MiB)": [round(early, 1), round(late, 1)],
        "breakers that opened": opened,
        "states seen": sorted("/".join(one) for one in seen.states),
        "not recovered": missing,
        "processes started": len(seen.processes),
        "processes left": orphans,
        "exit code": code,
    }
    print(json.dumps(found, indent=1))
    if seen.lost:
        print("\n".join(seen.lost[:20]), file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps({**found, "memory": seen.memory}))
    flat = late <= early * 1.1 + 16
    sys.exit(0 if not (seen.lost or wrong or missing or orphans or code) and opened and flat else 1)


if __name__ == "__main__":
    main()

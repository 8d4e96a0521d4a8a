"""What the audit costs a call, and how quickly a log of a million calls answers.

    python benchmarks/audit.py [--calls N] [--rows N] [--url URL]

Cost: begin and end of N calls one after another, and 16 at once; beside it the bare hop to a thread and back, twice,
which is what any writer outside the event loop costs. Rows: the log is filled through the writer's own appender, then
each filter of `audit list` is timed. Goals: under 1 ms added a call; under 0.5 s a filter at 1,000,000 calls.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mewcode.governance.audit import AuditEnd, AuditEntry, AuditHandle, AuditLog, Outcome
from mewcode.governance.audit.appender import ChainAppender
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.rows import Row, begin_row, end_row
from mewcode.governance.audit.stats import stats
from mewcode.governance.audit.verify import verify

AT_ONCE = 16
GROUP = 1_000
TOOLS = ("read_file", "search_code", "run_command", "edit_file", "create_issue")


def entry(number: int) -> AuditEntry:
    tool = TOOLS[number % len(TOOLS)]
    return AuditEntry(
        call_id=f"call_{number}",
        principal=f"user{number % 50}",
        roles=("dev",),
        door="serve_http",
        session=f"session{number // 40}",
        tool=tool,
        name=tool,
        arguments={"path": f"src/module{number % 997}/file{number}.py", "limit": 200},
        effect="deny" if number % 1_000 == 7 else "allow",
        policy_hash="0123456789abcdef",
    )


async def cost(url: str, calls: int) -> None:
    log = AuditLog(url)
    await call(log, 0)
    started = time.perf_counter()
    for number in range(calls):
        await call(log, number)
    alone = time.perf_counter() - started
    started = time.perf_counter()
    numbers = iter(range(calls))

    async def caller() -> None:
        for number in numbers:
            await call(log, number)

    await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    together = time.perf_counter() - started
    await log.close()
    started = time.perf_counter()
    for _ in range(2 * calls):
        await asyncio.to_thread(int)
    hop = time.perf_counter() - started
    print(f"added a call, one after another: {1000 * alone / calls:.3f} ms")
    print(f"added a call, {AT_ONCE} at once:      {1000 * together / calls:.3f} ms")
    print(f"two bare hops to a thread:       {1000 * hop / calls:.3f} ms")


async def call(log: AuditLog, number: int) -> None:
    handle = await log.begin(entry(number))
    await log.end(handle, AuditEnd(Outcome.OK, 0.012, 1_234))


def fill(url: str, rows: int) -> None:
    appender = ChainAppender(url)
    started = time.perf_counter()
    for start in range(0, rows, GROUP):
        begun: list[Row] = [begin_row(entry(number), str) for number in range(start, min(rows, start + GROUP))]
        seqs = appender.append(begun)
        outcome = Outcome.OK
        ended = [
            end_row(AuditHandle(seq), AuditEnd(Outcome.TIMEOUT if seq % 5_000 < 2 else outcome, 0.01), str)
            for seq in seqs
        ]
        appender.append(ended)
        appender.tidy()
    appender.close()
    print(f"filled with {rows:,} calls in {time.perf_counter() - started:.0f} s")


def queries(url: str, rows: int) -> None:
    reader = AuditReader(url)
    middle = time.time() - 1
    filters: dict[str, AuditFilter] = {
        "newest": AuditFilter(),
        "who": AuditFilter(principal="user7"),
        "tool": AuditFilter(tool="create_issue"),
        "tool pattern": AuditFilter(tool="*_file"),
        "decision (rare)": AuditFilter(effect="deny"),
        "outcome (rare)": AuditFilter(outcome="timeout"),
        "unknown": AuditFilter(outcome="unknown"),
        "session": AuditFilter(session=f"session{rows // 80}"),
        "time": AuditFilter(since=middle - 60, until=middle),
        "nothing of that time": AuditFilter(until=1.0),
        "text (common)": AuditFilter(text="py"),
        "text (rare)": AuditFilter(text=f"file{rows // 2}"),
        "text and who": AuditFilter(text="module7", principal="user7"),
        "text and nobody": AuditFilter(text="py", principal="nobody"),
        "text and outcome": AuditFilter(text="py", outcome="timeout"),
        "text and decision": AuditFilter(text="module7", effect="deny"),
        "text and old time": AuditFilter(text="py", until=middle - 3_600),
        "text of other tools": AuditFilter(text="issue", tool="read_file"),
        "tool and decision": AuditFilter(tool="create_issue", effect="deny"),
        "who and decision": AuditFilter(principal="user7", effect="deny"),
        "no such person": AuditFilter(principal="nobody"),
    }
    for name, wanted in filters.items():
        timed(f"list, {name}", lambda wanted=wanted: len(reader.list(wanted)))
    timed("stats, everything", lambda: stats(reader).calls)
    timed("verify, everything", lambda: verify(reader).records)


def timed(name: str, work: Callable[[], int]) -> None:
    started = time.perf_counter()
    found = work()
    print(f"{name:28} {time.perf_counter() - started:8.3f} s  ({found:,})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--url")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(cost(options.url or f"sqlite:///{Path(folder, 'cost.db')}", options.calls))
        if options.rows:
            url = options.url or f"sqlite:///{Path(folder, 'rows.db')}"
            fill(url, options.rows)
            queries(url, options.rows)


if __name__ == "__main__":
    main()

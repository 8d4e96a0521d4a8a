"""What the gateway costs: one stdio server of eighty tools, reached over HTTP in three ways, side by side in one run.

    python benchmarks/gateway.py [--fastmcp-python PYTHON] [--seconds 5] [--rounds 3] [--client raw|sdk]
                                 [--profile FILE]

- direct: the server itself serves HTTP;
- mewcode: `mewcode serve --http --upstreams all` before it over stdio, with tokens, rules, limits, audit and tracing;
- fastmcp: FastMCP's proxy before it over stdio, where an environment that has it is given:
  `python -m venv DIR && DIR/bin/pip install fastmcp==4.2.3`, then `--fastmcp-python DIR/bin/python`.

Reported are p50 and p99 in milliseconds and calls a second, for 1 and for 32 callers: medians over the rounds, in which
the three take turns so that a busy machine is as hard on each. Goals: p50 at most 1.5 times direct, calls a second at
least twice FastMCP's. `--profile` writes a flame graph of MewCode's process under load (needs py-spy).
"""

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.http_caller import HttpCaller
from benchmarks.started import started
from tests.services import free_port, wait_for_port

SERVER = Path(__file__).with_name("eighty_tools.py")
CALLERS = (1, 32)
SETTINGS = """
mcp_servers:
  tools: {{command: "{python}", args: ["{server}"]}}
roles:
  dev: {{tools: ['mcp_tools_*']}}
principals: {{alice: {{roles: [dev]}}}}
server: {{tokens: {{alice: {{sha256: "{token}"}}}}}}
permissions:
  - {{rule: "mcp_*_delete_*(*)", effect: deny}}
  - {{rule: "mcp_tools_*(text=secret*)", effect: ask}}
  - {{rule: "mcp_tools_*(*)", effect: allow}}
limits: {{per_minute: 10000000, concurrent: 1000}}
telemetry: {{traces: "http://127.0.0.1:{collector}/v1/traces"}}
"""
PROXY = """
import sys
from fastmcp.server import create_proxy
server = {"mcpServers": {"tools": {"command": sys.argv[1], "args": [sys.argv[2]]}}}
proxy = create_proxy(server)
proxy.run(transport="http", host="127.0.0.1", port=int(sys.argv[3]), log_level="ERROR", show_banner=False)
"""


@dataclass(frozen=True)
class Way:
    name: str
    url: str
    pid: int
    token: str | None = None


Call = Callable[[str, str], Awaitable[None]]


@dataclass(frozen=True)
class Measured:
    p50: float
    p99: float
    rate: float
    cpu: float
    """Milliseconds of processor time for each call, of the process and its children: what a busy machine leaves as it
    is."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fastmcp-python")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--client", choices=("raw", "sdk"), default="raw")
    parser.add_argument("--profile")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ways = [stack.enter_context(direct()), stack.enter_context(mewcode(folder))]
        if options.fastmcp_python:
            ways.append(stack.enter_context(fastmcp(options.fastmcp_python)))
        if options.profile:
            asyncio.run(profiled(ways[1], options.profile, options.seconds, options.client))
            return
        found = asyncio.run(rounds(ways, options.rounds, options.seconds, options.client))
    report(found)


@contextmanager
def process(command: list[str], **more: object) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True, **more)  # type: ignore[call-overload]
    try:
        yield started
    finally:
        started.terminate()
        started.wait(60)


@contextmanager
def direct() -> Iterator[Way]:
    port = free_port()
    with process([sys.executable, str(SERVER), "http", str(port)]) as started:
        wait_for_port(port, started)
        yield Way("direct", f"http://127.0.0.1:{port}/mcp", started.pid)


@contextmanager
def mewcode(folder: Path) -> Iterator[Way]:
    token = "mew_of-a-benchmark-only"
    with collector() as port:
        settings = SETTINGS.format(
            python=sys.executable,
            server=SERVER.resolve(),
            collector=port,
            token=hashlib.sha256(token.encode()).hexdigest(),
        )
        with started(folder, settings, "--upstreams", "all", "--prefix", "") as running:
            yield Way("mewcode", running.url, running.process.pid, token)


@contextmanager
def fastmcp(python: str) -> Iterator[Way]:
    port = free_port()
    with process([python, "-c", PROXY, sys.executable, str(SERVER), str(port)], stderr=subprocess.DEVNULL) as started:
        wait_for_port(port, started)
        yield Way("fastmcp", f"http://127.0.0.1:{port}/mcp", started.pid)


@contextmanager
def collector() -> Iterator[int]:
    """Takes traces and forgets them."""

    class Sink(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Sink) as sink:
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        yield sink.server_address[1]
        sink.shutdown()


async def rounds(ways: list[Way], count: int, seconds: float, client: str) -> dict[tuple[str, int], list[Measured]]:
    found: dict[tuple[str, int], list[Measured]] = {(way.name, callers): [] for way in ways for callers in CALLERS}
    for way in ways:
        await measured(way, 4, seconds / 2, client)  # warm-up
    for _ in range(count):
        for callers in CALLERS:
            for way in ways:
                found[way.name, callers].append(await measured(way, callers, seconds, client))
    return found


async def measured(way: Way, callers: int, seconds: float, client: str) -> Measured:
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def caller(number: int) -> None:
        async with opened(way, client) as call:
            await call("echo_0", "first")
            while (began := time.perf_counter()) < until:
                await call(f"echo_{len(times) % 80}", f"call {number} {len(times)};")
                times.append(time.perf_counter() - began)

    began, used = time.perf_counter(), cpu_time(way.pid)
    await asyncio.gather(*(caller(number) for number in range(callers)))
    whole = time.perf_counter() - began
    cpu = 1000 * (cpu_time(way.pid) - used) / (len(times) + callers)
    if len(times) < 2:
        return Measured(float("nan"), float("nan"), len(times) / whole, cpu)
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return Measured(1000 * cuts[49], 1000 * cuts[98], len(times) / whole, cpu)


def cpu_time(pid: int) -> float:
    """Seconds of processor time of a process and its descendants so far; 0 where there is no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_time(int(child)) for child in children)


class opened:  # noqa: N801  reads as what it is for
    """A caller's function that makes a call."""

    def __init__(self, way: Way, client: str) -> None:
        self._way = way
        self._client = client
        self._raw: HttpCaller | None = None
        self._stack = ExitStack()

    async def __aenter__(self) -> Call:
        if self._client == "raw":
            self._raw = HttpCaller(self._way.url, self._way.token)
            return self._raw.call
        from tests.server.clients import http

        self._sdk = http(self._way.url, self._way.token)
        connected = await self._sdk.__aenter__()
        await connected.list_tools()

        async def call(tool: str, text: str) -> None:
            result = await connected.call_tool(tool, {"text": text})
            if result.is_error or text not in result.content[0].text:
                raise RuntimeError(str(result))

        return call

    async def __aexit__(self, *error: object) -> None:
        if self._raw is not None:
            await self._raw.close()
        else:
            await self._sdk.__aexit__(*error)


async def profiled(way: Way, file: str, seconds: float, client: str) -> None:
    await measured(way, 4, seconds / 2, client)
    kind = "speedscope" if file.endswith(".json") else "raw" if file.endswith(".txt") else "flamegraph"
    recorder = ["py-spy", "record", "--pid", str(way.pid), "--output", file, "--format", kind, "--rate", "200"]
    with process([*recorder, "--duration", str(int(seconds))]) as recording:
        print(await measured(way, 32, seconds, client))
        await asyncio.to_thread(recording.wait)


def report(found: dict[tuple[str, int], list[Measured]]) -> None:
    middle = {
        key: Measured(
            *(statistics.median(getattr(one, part) for one in every) for part in ("p50", "p99", "rate", "cpu"))
        )
        for key, every in found.items()
    }
    for (name, callers), one in middle.items():
        print(
            f"{name:8} {callers:3} callers   p50 {one.p50:8.2f} ms   p99 {one.p99:8.2f} ms   "
            f"{one.rate:8.1f} calls/s   {one.cpu:6.2f} ms of CPU a call"
        )
    for callers in CALLERS:
        own, base = middle["mewcode", callers], middle["direct", callers]
        row = {
            "callers": callers,
            "p50 / direct": round(own.p50 / base.p50, 2),
            "cpu / direct": round(own.cpu / (base.cpu or 1), 2),
        }
        if ("fastmcp", callers) in middle:
            proxy = middle["fastmcp", callers]
            row |= {
                "calls/s / fastmcp": round(own.rate / proxy.rate, 2),
                "cpu / fastmcp": round(own.cpu / (proxy.cpu or 1), 2),
            }
        print(json.dumps(row))


if __name__ == "__main__":
    main()

"""How long MCP servers keep a session waiting: many at once beside the slowest alone, and one large result.

    python benchmarks/mcp_start.py [--servers 20] [--megabytes 32]

Prints JSON lines. The servers are the fault server's well-behaved mode, each in a process of its own; one of them
answers `initialize` only after three seconds and so is the slowest. The SDK is imported before the clock starts, as it
is once in each session.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from mewcode.calls import Principal, ToolCall
from mewcode.mcp import MCPManager, ServerDefinition, Surroundings, Watchdog
from mewcode.tools import ToolRegistry

FAULTS = Path(__file__).parents[1] / "tests" / "faults"
BIG = (
    "import sys; sys.path.insert(0, {folder!r})\n"
    "from fault_server import FaultServer\n"
    "class Big(FaultServer):\n"
    "    def call(self, message): self.text(message, 'x' * ({megabytes} << 20))\n"
    "Big(['ok']).run()\n"
)


def server(name: str, mode: str) -> ServerDefinition:
    return ServerDefinition(name, (sys.executable, str(FAULTS / "fault_server.py"), mode), connect_timeout=120)


async def ready_after(definitions: list[ServerDefinition]) -> float:
    """Seconds until all are ready."""
    around = Surroundings(Path.cwd(), Watchdog())
    await around.sdk.load()
    began = time.perf_counter()
    async with MCPManager(definitions, ToolRegistry(), around) as manager:
        await manager.wait_all()
        return time.perf_counter() - began


async def large_result(megabytes: int) -> dict[str, float]:
    """Seconds for one result, and the longest time that the loop did not turn meanwhile."""
    program = BIG.format(folder=str(FAULTS), megabytes=megabytes)
    definition = ServerDefinition("big", (sys.executable, "-c", program), connect_timeout=120)
    async with MCPManager([definition], ToolRegistry(), Surroundings(Path.cwd(), Watchdog())) as manager:
        await manager.wait_all()
        tool = manager.registry.find("big", "t")
        assert tool is not None
        longest = 0.0

        async def watch() -> None:
            nonlocal longest
            last = time.perf_counter()
            while True:
                await anyio.sleep(0.001)
                now = time.perf_counter()
                longest, last = max(longest, now - last), now

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            began = time.perf_counter()
            result = await tool.execute(ToolCall(tool.name, {}, "s", Principal("p")))
            took = time.perf_counter() - began
            tasks.cancel_scope.cancel()
    assert len(result.text) == megabytes << 20
    return {"megabytes": megabytes, "seconds": round(took, 3), "longest_pause_ms": round(longest * 1000, 1)}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--servers", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=32)
    options = parser.parse_args()
    slowest = server("slowest", "slow_init")
    alone = await ready_after([slowest])
    together = await ready_after([slowest, *(server(f"s{i}", "ok") for i in range(options.servers - 1))])
    rows = {"servers": options.servers, "slowest_alone": round(alone, 2), "all_together": round(together, 2)}
    print(json.dumps({**rows, "ratio": round(together / alone, 2)}))
    for megabytes in (options.megabytes // 4, options.megabytes):
        print(json.dumps(await large_result(megabytes)))


if __name__ == "__main__":
    anyio.run(main)

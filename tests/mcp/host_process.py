"""A host in a process of its own, for tests that kill it: prints the pids of its servers, then waits for its end.

Usage: host_process.py MODE...      modes of the fault server, one server each.
"""

import sys
from pathlib import Path

import anyio
from tests.mcp.running import fault, pid_of, running


async def main() -> None:
    async with running(*(fault(mode, mode) for mode in sys.argv[1:]), workspace=Path.cwd()) as manager:
        print(*(pid_of(manager, name) for name in manager.servers), flush=True)
        await anyio.sleep_forever()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    anyio.run(main)

"""A host in a process of its own, for tests that kill it: prints the pids of its servers, then waits for its end.

Usage: host_process.py MODE...      modes of the fault server, one server each.
       host_process.py --orphan FILE  one server that leaves a detached orphan, whose pid is written to the file.
"""

import signal
import sys
from pathlib import Path

import anyio
from tests.mcp.running import FAULT_SERVER, fault, pid_of, python_server, running

from mewcode.mcp import ServerDefinition

ORPHAN = """
import os, runpy, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        open(sys.argv[1], "w").write(f"{os.getpid()}\\n")
        os.execvp("sleep", ["sleep", "1000"])
    os._exit(0)
os.wait()
sys.argv = [sys.argv[2], "ok"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def servers() -> list[ServerDefinition]:
    if sys.argv[1] == "--orphan":
        return [python_server("s", "-c", ORPHAN, sys.argv[2], str(FAULT_SERVER))]
    return [fault(mode, mode) for mode in sys.argv[1:]]


async def main() -> None:
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have it ignored (nohup)
    async with running(*servers(), workspace=Path.cwd()) as manager:
        print(*(pid_of(manager, name) for name in manager.servers), flush=True)
        await anyio.sleep_forever()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    anyio.run(main)

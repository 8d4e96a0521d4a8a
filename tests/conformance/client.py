"""The client under test, as the suite starts it: one for each scenario, all at once.

Hundreds of megabytes of interpreters that start together bring a small machine to a standstill, and the scenarios'
own clocks run out. So each waits here for one of a few places before it imports anything heavy.
"""

import fcntl
import os
import random
import runpy
import sys
import tempfile
import time
from pathlib import Path

PLACES = max(2, os.cpu_count() or 1)


def take_place() -> int:
    """Blocks until a place is free; it is held until the process ends. Returns the descriptor of the lock."""
    while True:
        for number in range(PLACES):
            lock = Path(tempfile.gettempdir()) / f"mewcode-conformance-{os.getuid()}-{number}.lock"
            descriptor = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                return descriptor
        time.sleep(random.uniform(0.1, 0.3))


if __name__ == "__main__":
    take_place()
    sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
    runpy.run_module("mewcode.mcp.conformance", run_name="__main__")

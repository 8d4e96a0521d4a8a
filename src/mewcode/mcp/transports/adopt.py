"""A program that becomes a server's command, on Linux: adopt.py PROGRAM ARGUMENT...

Before that it asks the kernel that orphans among its descendants be given to it and not to init (prctl(2),
PR_SET_CHILD_SUBREAPER, which outlives execve). So whatever a server starts stays below the server, also a process with
a session of its own whose parent has ended, and the watchdog finds it there. Standard library only.
"""

import ctypes
import os
import sys
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    program = sys.argv[1]
    try:
        os.execve(program, sys.argv[1:], given_environment())  # noqa: S606 the program is the server itself
    except OSError as error:
        sys.stderr.write(f"{program}: {error.strerror}\n")
        os._exit(126)


def given_environment() -> dict[bytes, bytes]:
    """The environment as it was handed over: this interpreter may have added LC_CTYPE to its own."""
    pairs = Path("/proc/self/environ").read_bytes().split(b"\0")
    return {name: value for name, found, value in (pair.partition(b"=") for pair in pairs) if found}


if __name__ == "__main__":
    main()

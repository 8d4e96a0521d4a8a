"""A real PostgreSQL for tests, on the loopback, when its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services import free_port

NOBODY = 65534
"""The user that the server runs as when the tests run as root: PostgreSQL refuses root."""


def has_postgres() -> bool:
    return all(shutil.which(program) for program in ("initdb", "pg_ctl"))


@contextmanager
def postgres() -> Iterator[str]:
    """An empty PostgreSQL server of its own; gives the URL of its database."""
    folder = Path(tempfile.mkdtemp(prefix="mewcode-postgres-"))
    port = free_port()
    as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if as_user:
        os.chown(folder, NOBODY, NOBODY)
    data = str(folder / "data")

    def run(*command: str) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command, check=True, cwd=folder, timeout=240, **quiet, **as_user)  # type: ignore[call-overload]

    try:
        run("initdb", "-D", data, "-A", "trust", "-U", "mewcode", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
        run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://mewcode@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

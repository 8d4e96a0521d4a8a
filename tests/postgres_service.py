"""A real PostgreSQL for tests, on the loopback, when its programs are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.services import free_port

NOBODY = 65534
"""The user that the server runs as when the tests run as root: PostgreSQL refuses root."""


def has_postgres() -> bool:
    return all(shutil.which(program) for program in ("initdb", "pg_ctl"))


@dataclass
class PostgresServer:
    """A server of this test's own. `stop` and `start` play an outage; what was committed is there afterwards."""

    folder: Path
    port: int
    running: bool = False

    @property
    def url(self) -> str:
        return f"postgresql://mewcode@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "mewcode", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")
        self.running = True

    def stop(self) -> None:
        if self.running:
            self.running = False
            self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, *command: str) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(command, check=True, cwd=self.folder, timeout=240, **quiet, **as_user)  # type: ignore[call-overload]


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """An empty PostgreSQL server of its own, running."""
    folder = Path(tempfile.mkdtemp(prefix="mewcode-postgres-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    server = PostgresServer(folder, free_port())
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of the database of such a server."""
    with postgres_server() as server:
        yield server.url

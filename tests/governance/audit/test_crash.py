"""The audit when its process is killed, when several write at once, and when the database fails."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import anyio
import pytest
from tests.governance.audit.samples import entry, url_of

from mewcode.errors import AuditError
from mewcode.governance.audit import AuditEnd, AuditLog, Outcome
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.verify import verify

ROOT = Path(__file__).parents[3]
LONG = bool(os.environ.get("MEWCODE_LONG_TESTS"))
CALLS = 10_000 if LONG else 400
AT_ONCE = 16

WORKER = f"""
import asyncio, os, sys
from mewcode.governance.audit import AuditEnd, AuditLog, Outcome
from tests.governance.audit.samples import entry

async def main(url, marks, calls):
    log = AuditLog(url)
    numbers = iter(range(calls))
    out = os.open(marks, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    async def caller():
        for number in numbers:
            handle = await log.begin(entry(number))
            os.write(out, b"%d\\n" % number)  # the act: whatever it does happens only now
            await log.end(handle, AuditEnd(Outcome.OK, 0.001))
            print(number, flush=True)
    await asyncio.gather(*(caller() for _ in range({AT_ONCE})))
    await log.close()

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def worker(url: str, marks: Path, calls: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WORKER, url, str(marks), str(calls)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)


def test_after_kill_9_every_call_that_acted_has_its_begin_record(url: str, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    with worker(url, marks, CALLS) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= CALLS // 2:
                break
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    acted = {f"call_{number}" for number in marks.read_text().split()}
    assert len(acted) >= CALLS // 2
    calls = AuditReader(url).list(limit=CALLS)
    assert acted <= {call["call"] for call in calls}
    unknown = AuditReader(url).list(AuditFilter(outcome="unknown"), limit=CALLS)
    assert len(unknown) <= 2 * AT_ONCE
    assert {call["call"] for call in unknown} == {call["call"] for call in calls if call["outcome"] == "unknown"}
    assert verify(AuditReader(url)).broken is None


def test_several_processes_write_the_same_log_at_once(url: str, tmp_path: Path) -> None:
    processes = [worker(url, tmp_path / f"marks{number}", 60) for number in range(3)]
    for process in processes:
        process.communicate(timeout=240)
        assert process.returncode == 0
    verdict = verify(AuditReader(url))
    assert verdict.broken is None
    assert len(verdict.heads) == 3
    assert len(AuditReader(url).list(AuditFilter(outcome="ok"), limit=1_000)) == 180


@pytest.mark.anyio
async def test_a_locked_database_stops_calls_until_it_is_free_again(tmp_path: Path) -> None:
    log = AuditLog(url_of(tmp_path), lock_wait=0.2)
    await log.begin(entry(0))
    holder = sqlite3.connect(tmp_path / "audit.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(AuditError, match=r"locked.*No tool runs unrecorded"):
        await log.begin(entry(1))
    holder.execute("ROLLBACK")
    holder.close()
    await log.begin(entry(2))
    await log.close()
    assert [call["call"] for call in AuditReader(url_of(tmp_path)).list()] == ["call_2", "call_0"]
    assert verify(AuditReader(url_of(tmp_path))).broken is None


@pytest.mark.anyio
@pytest.mark.parametrize("content", [b"this is no database, whatever its name says" * 100, None])
async def test_a_file_that_is_no_database_stops_calls(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "audit.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    log = AuditLog(url_of(tmp_path))
    with pytest.raises(AuditError, match="No tool runs unrecorded"):
        await log.begin(entry())
    with pytest.raises(AuditError):
        AuditReader(url_of(tmp_path)).list()
    await log.close()


@pytest.mark.anyio
async def test_an_address_that_cannot_be_used_is_named_without_its_password() -> None:
    log = AuditLog("postgresql://mewcode:hunter2@127.0.0.1:1/none", lock_wait=1.0)
    with pytest.raises(AuditError, match=r"127\.0\.0\.1:1/none") as raised:
        await log.begin(entry())
    assert "hunter2" not in str(raised.value)
    await log.close()


FULL = """
import asyncio, resource, signal, sys
from mewcode.errors import AuditError
from mewcode.governance.audit import AuditLog
from tests.governance.audit.samples import entry

async def main(url):
    log = AuditLog(url)
    await log.begin(entry(0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    done = 0
    try:
        for number in range(1, 5_000):
            await log.begin(entry(number, arguments={"text": "x" * 1_000}))
            done = number
    except AuditError as error:
        print(done, error)

asyncio.run(main(sys.argv[1]))
"""


def test_a_full_disk_stops_calls_and_leaves_a_log_that_verifies(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", FULL, url_of(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=240, check=True)
    done = int(ended.stdout.split()[0])
    assert "No tool runs unrecorded" in ended.stdout
    reader = AuditReader(url_of(tmp_path))
    assert len(reader.list(limit=10_000)) == done + 1
    assert verify(reader).broken is None


READ_ONLY = """
import asyncio, os, sys
from mewcode.errors import AuditError
from mewcode.governance.audit import AuditEnd, AuditLog, Outcome
from tests.governance.audit.samples import entry

async def main(url, file):
    log = AuditLog(url)
    await log.end(await log.begin(entry(0)), AuditEnd(Outcome.OK))
    await log.close()
    os.chmod(file, 0o444)
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        await AuditLog(url).begin(entry(1))
    except AuditError as error:
        print(error)

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


@pytest.mark.skipif(os.name != "posix", reason="file modes and users")
def test_a_read_only_log_stops_calls() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        command = [sys.executable, "-c", READ_ONLY, url_of(folder), str(folder / "audit.db")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=240)
    assert "readonly" in ended.stdout, ended.stderr
    assert "No tool runs unrecorded" in ended.stdout


async def _one_call(url: str) -> None:
    log = AuditLog(url)
    await log.end(await log.begin(entry()), AuditEnd(Outcome.OK))
    await log.close()


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_only_its_owner_can_read_a_log(tmp_path: Path) -> None:
    url = url_of(tmp_path / "new")
    anyio.run(_one_call, url)
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "new").iterdir())

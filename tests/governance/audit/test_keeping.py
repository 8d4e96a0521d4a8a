"""Retention and rotation: old records go, and the log still verifies."""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest
from tests.governance.audit.samples import entry, url_of

from mewcode.governance.audit import AuditEnd, Outcome
from mewcode.governance.audit.appender import ChainAppender
from mewcode.governance.audit.chain import hash_of
from mewcode.governance.audit.housekeeping import Keeping
from mewcode.governance.audit.port import AuditHandle
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.rows import begin_row, end_row
from mewcode.governance.audit.verify import verify


def live(url: str, calls: int, *, keeping: Keeping | None = None) -> ChainAppender:
    appender = ChainAppender(url, keeping=keeping)
    seqs = appender.append([begin_row(entry(number), str) for number in range(calls)])
    appender.append([end_row(AuditHandle(seq), AuditEnd(Outcome.OK), str) for seq in seqs])
    return appender


def tidy(appender: ChainAppender) -> None:
    """As long as there is anything to remove, without waiting for the time of the next look."""
    for _ in range(20):
        appender._housekeeping._next = 0.0  # pyright: ignore[reportPrivateUsage]
        appender.tidy()


def test_records_older_than_the_retention_go_and_the_rest_verifies(url: str) -> None:
    live(url, 400).close()
    appender = live(url, 3, keeping=Keeping(retention=0.0))
    tidy(appender)
    verdict = verify(AuditReader(url))
    assert verdict.broken is None
    assert verdict.records < 30
    assert AuditReader(url).list(AuditFilter(text="tax")) == AuditReader(url).list()
    live(url, 2).close()
    appender.append([begin_row(entry(9), str)])
    appender.close()
    assert verify(AuditReader(url)).broken is None
    assert {call["call"] for call in AuditReader(url).list()} >= {"call_0", "call_1", "call_9"}


def test_what_is_young_stays(url: str) -> None:
    appender = live(url, 20, keeping=Keeping(retention=3_600.0))
    tidy(appender)
    appender.close()
    assert len(AuditReader(url).list()) == 20


def test_removing_more_than_the_log_says_was_removed_is_found(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    live(url, 50).close()
    appender = live(url, 5, keeping=Keeping(retention=0.0))
    tidy(appender)
    live(url, 5).close()
    appender.close()
    assert verify(AuditReader(url)).broken is None
    with sqlite3.connect(tmp_path / "audit.db") as connection:
        connection.execute("DELETE FROM audit_records WHERE seq = (SELECT min(seq) FROM audit_records)")
    broken = verify(AuditReader(url)).broken
    assert broken is not None
    assert broken.kind == "removed"


@pytest.mark.parametrize("rotate_at", [200_000])
def test_beyond_its_size_a_log_moves_its_oldest_records_to_a_file_beside_it(tmp_path: Path, rotate_at: int) -> None:
    url = url_of(tmp_path)
    appender = live(url, 1_500, keeping=Keeping(rotate_at=rotate_at))
    tidy(appender)
    appender.close()
    assert verify(AuditReader(url)).broken is None
    archives = sorted(tmp_path.glob("audit.db.archive-*.jsonl.gz"))
    assert archives
    rows = [json.loads(line) for file in archives for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert all(row["hash"] == hash_of(row) for row in rows)
    assert all(file.stat().st_mode & 0o077 == 0 for file in archives)

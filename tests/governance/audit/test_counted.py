"""A flood of refusals does not fill the log, and none of them is dropped without a trace."""

from collections import Counter
from functools import partial
from pathlib import Path

import anyio
import pytest

from mewcode.governance.audit import AuditLog, counted
from mewcode.governance.audit.counted import MOST_A_MINUTE, MOST_NAMES, MOST_SOURCES, OTHERS
from mewcode.governance.audit.port import AuditEntry
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader

pytestmark = pytest.mark.anyio


def entry(principal: str, name: str) -> AuditEntry:
    return AuditEntry("c", principal, (), "serve_http", "s", name, name, effect="deny")


async def told(url: str) -> tuple[Counter[str | None], list[dict]]:
    """How many refused calls of each principal are on record, and what was counted."""
    records = await anyio.to_thread.run_sync(lambda: list(AuditReader(url).stream(AuditFilter(events=True))))
    kept = Counter(one["principal"] for one in records if one["kind"] == "call")
    return kept, [one for one in records if one.get("name") == "refusals_counted"]


async def test_what_comes_beyond_so_many_a_minute_is_counted_for_each_by_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/audit.db"
    log = AuditLog(url)
    for number in range(MOST_A_MINUTE + 40):
        await log.refuse(entry("mallory", "rm" if number % 4 else "read_file"))
    await log.refuse(entry("alice", "read_file"))
    await log.close()
    kept, counts = await told(url)
    assert kept == {"mallory": MOST_A_MINUTE, "alice": 1}
    begun, ended = sorted((one["details"] for one in counts), key=lambda details: details["counted"])
    assert {one["principal"] for one in counts} == {"mallory"}
    assert (begun["what"], begun["of"], begun["counted"]) == ("refused", "mallory", 0)
    assert (ended["counted"], ended["by_name"]) == (40, {"rm": 30, "read_file": 10})


async def test_the_count_is_told_when_its_minute_ends_and_another_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted, "MINUTE", 0.05)
    monkeypatch.setattr(counted, "MOST_A_MINUTE", 1)
    url = f"sqlite:///{tmp_path}/audit.db"
    log = AuditLog(url)
    async with anyio.create_task_group() as at_once:
        for _ in range(3):
            at_once.start_soon(partial(log.event, "token_refused", counted_for="127.0.0.1"))
    with anyio.fail_after(60):
        while [one["details"]["counted"] for one in (await told(url))[1]] != [0, 2]:
            await anyio.sleep(0.05)
    await log.event("token_refused", counted_for="127.0.0.1")
    await log.close()
    records = [one for one in AuditReader(url).stream(AuditFilter(events=True)) if one.get("name") == "token_refused"]
    assert len(records) == 2


async def test_a_crowd_of_names_costs_no_more_memory_than_so_many(tmp_path: Path) -> None:
    tallies: list[counted.Tally] = []
    counts = counted.Counted(tallies.append)
    for number in range(MOST_SOURCES + MOST_A_MINUTE + 5):
        counts.keeps("token_refused", f"10.0.{number // 256}.{number % 256}", "token_refused", None)
    for number in range(MOST_A_MINUTE + 2 * MOST_NAMES):
        counts.keeps("refused", "10.0.0.1", f"tool{number}", "mallory")
    counts.close()
    found = {(one.kind, one.source): one.count for one in tallies}
    assert found == {("token_refused", OTHERS): 5, ("refused", OTHERS): 2 * MOST_NAMES}
    assert all(len(one.counts) <= MOST_NAMES + 1 for one in tallies)

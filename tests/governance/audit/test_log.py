"""Records of calls, on both databases: what is written, what is read back, and what a caller is told."""

import asyncio
import sqlite3
import threading
import time
from pathlib import Path

import anyio
import pytest
from tests.governance.audit.samples import entry, url_of

from mewcode.calls import FileChange
from mewcode.errors import AuditError
from mewcode.governance.audit import AuditEnd, AuditLog, Outcome, finding
from mewcode.governance.audit.query import AuditFilter
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.verify import verify

pytestmark = pytest.mark.anyio


async def test_a_call_has_a_record_before_it_runs_and_one_after(url: str) -> None:
    log, reader = AuditLog(url), AuditReader(url)
    handle = await log.begin(entry())
    assert [call["outcome"] for call in reader.list()] == ["unknown"]
    change = FileChange("a.py", None, "ff" * 32)
    await log.end(handle, AuditEnd(Outcome.TOOL_ERROR, 0.25, 12, (change,), "no such thing"))
    await log.settled()
    (call,) = reader.list()
    assert (call["seq"], call["outcome"], call["duration_ms"], call["bytes"]) == (handle.seq, "tool_error", 250.0, 12)
    assert call["files"] == [{"path": "a.py", "before": None, "after": "ff" * 32}]
    assert (call["principal"], call["roles"], call["policy"]) == ("alice", ["dev"], "0123abcd")
    await log.close()


async def test_nobody_waits_for_the_record_of_an_act_that_is_over(url: str) -> None:
    stuck, release = threading.Event(), threading.Event()

    def slow(text: str) -> str:
        if text == "slow":
            stuck.set()
            release.wait(30)
        return text

    log, reader = AuditLog(url, redact=slow), AuditReader(url)
    handle = await log.begin(entry(0))
    with anyio.fail_after(20):
        await log.end(handle, AuditEnd(Outcome.OK, error="slow"))
        while not stuck.is_set():
            await anyio.sleep(0.01)
    assert [call["outcome"] for call in reader.list()] == ["unknown"]
    release.set()
    await log.begin(entry(1))
    assert [call["outcome"] for call in reader.list()] == ["unknown", "ok"], "an end is stored before a later begin"
    await log.close()


async def test_an_end_that_cannot_be_stored_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = AuditLog(url_of(tmp_path), lock_wait=0.1)
    handle = await log.begin(entry())
    with sqlite3.connect(tmp_path / "audit.db", isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        await log.end(handle, AuditEnd(Outcome.OK))
        await log.settled()
        holder.execute("ROLLBACK")
    assert "locked" in caplog.text
    await log.close()


async def test_a_refusal_is_one_record_with_its_rule(url: str) -> None:
    log = AuditLog(url)
    await log.refuse(entry(effect="deny", rule="read_file(secret/**)", rule_source="policy.yaml:3:5", reason="secret"))
    await log.close()
    (call,) = AuditReader(url).list(AuditFilter(effect="deny"))
    assert (call["outcome"], call["rule"], call["rule_source"]) == (
        "refused",
        "read_file(secret/**)",
        "policy.yaml:3:5",
    )
    assert AuditReader(url).list(AuditFilter(outcome="refused")) == [call]


async def test_events_are_listed_only_when_asked_for(url: str) -> None:
    log, reader = AuditLog(url), AuditReader(url)
    await log.event("token_refused", principal="mallory", door="serve_http", details={"why": "expired"})
    assert reader.list() == []
    (event,) = reader.list(AuditFilter(events=True))
    assert (event["kind"], event["name"], event["details"]) == ("event", "token_refused", {"why": "expired"})
    await log.close()


async def test_the_log_of_many_calls_at_once_verifies(url: str) -> None:
    log = AuditLog(url)

    async def call(number: int) -> None:
        handle = await log.begin(entry(number))
        await log.end(handle, AuditEnd(Outcome.OK))

    await asyncio.gather(*(call(number) for number in range(300)))
    await log.close()
    verdict = verify(AuditReader(url))
    assert (verdict.broken, verdict.records) == (None, 602)
    assert len(AuditReader(url).list(limit=1_000)) == 300


async def test_secrets_are_redacted_everywhere_and_nothing_is_dropped_silently(url: str) -> None:
    log = AuditLog(url, redact=lambda text: text.replace("hunter2", "[redacted]"))
    long = "x" * 1_990 + "hunter2" + "y" * 100_000
    arguments = {"long": long, "hunter2": ["hunter2"] * 3, "many": list(range(500)), "odd": "a\0b\ud800"}
    handle = await log.begin(entry(arguments=arguments, reason="hunter2"))
    await log.end(handle, AuditEnd(Outcome.FAILED, error="hunter2"))
    await log.event("login", details={"token": "hunter2"})
    await log.close()
    call = AuditReader(url).show(str(handle.seq))
    assert call is not None
    assert "hunter2" not in repr(AuditReader(url).list(AuditFilter(events=True))) + repr(call)
    assert call["arguments"]["[redacted]"] == ["[redacted]"] * 3
    cut = call["arguments"]["long"]["$cut"]
    assert (cut["characters"], len(cut["sha256"]), len(cut["head"])) == (len(long), 64, 2_000)
    assert call["arguments"]["many"][-1] == {"$cut": {"items": 500}}
    assert call["arguments"]["odd"] == "a\\u0000b\\ud800"


async def test_a_redactor_that_fails_fails_its_own_call_only(url: str) -> None:
    def redact(text: str) -> str:
        if "bomb" in text:
            raise ValueError("cannot redact")
        return text

    log = AuditLog(url, redact=redact)
    with pytest.raises(ValueError, match="cannot redact"):
        await log.begin(entry(arguments={"path": "bomb"}))
    await log.begin(entry())
    await log.close()
    assert len(AuditReader(url).list()) == 1


async def test_a_caller_cancelled_while_it_waits_leaves_a_cancelled_call(url: str) -> None:
    held = threading.Event()

    def redact(text: str) -> str:
        held.wait(30)
        return text

    log = AuditLog(url, redact=redact)
    async with anyio.create_task_group() as group:
        group.start_soon(log.begin, entry())
        await anyio.sleep(0)
        group.cancel_scope.cancel()
    held.set()
    reader = AuditReader(url)
    with anyio.fail_after(30):
        while [call["outcome"] for call in reader.list()] != ["cancelled"]:
            await anyio.sleep(0.02)
    await log.close()


async def test_the_event_loop_goes_on_while_the_writer_works(url: str) -> None:
    started, release = threading.Event(), threading.Event()

    def slow(text: str) -> str:
        started.set()
        release.wait(30)
        return text

    log = AuditLog(url, redact=slow)
    turns = 0
    async with anyio.create_task_group() as group:
        group.start_soon(log.begin, entry())
        while not started.is_set() or turns < 100:
            await anyio.sleep(0)
            turns += 1
        release.set()
    assert turns >= 100
    await log.close()


async def test_a_closed_log_takes_no_calls(url: str) -> None:
    log = AuditLog(url)
    await log.begin(entry())
    await log.close()
    with pytest.raises(AuditError, match="closed"):
        await log.begin(entry())


async def test_filters_find_what_they_say(url: str) -> None:
    log, reader = AuditLog(url), AuditReader(url)
    before = time.time()
    one = await log.begin(entry(1, principal="bob", session="s2"))
    await log.end(one, AuditEnd(Outcome.OK, 0.001))
    github = {"tool": "create_issue", "name": "mcp_github_create_issue", "server": "github"}
    two = await log.begin(entry(2, **github, arguments={"title": "修复登录错误 in LoginForm"}))
    await log.end(two, AuditEnd(Outcome.TIMEOUT, 3.0, error="deadline of thirty seconds"))
    three = await log.begin(entry(3, tool="create_issue", name="mcp_gitlab_create_issue", server="gitlab"))

    def found(**wanted: object) -> list[int]:
        return [call["seq"] for call in reader.list(AuditFilter(**wanted))]  # type: ignore[arg-type]

    await log.settled()
    assert found() == [three.seq, two.seq, one.seq]
    assert found(principal="bob") == [one.seq]
    assert found(session="s2") == [one.seq]
    assert found(tool="create_issue") == [three.seq, two.seq]
    assert found(tool="mcp_github_create_issue") == [two.seq]
    assert found(tool="mcp_git*", server="gitlab") == [three.seq]
    assert found(tool="nothing") == []
    assert found(outcome="timeout") == [two.seq]
    assert found(outcome="unknown") == [three.seq]
    assert found(outcome="ok") == [one.seq]
    assert found(since=before - 5, until=before + 600) == [three.seq, two.seq, one.seq]
    assert found(until=before - 5) == []
    assert found(text="billing tax") == [three.seq, one.seq]
    assert found(text="login") == [two.seq]
    assert found(text="登录") == [two.seq]
    assert found(text="thirty") == [two.seq]
    assert found(text="billing", principal="bob") == [one.seq]
    assert found(text='") OR 1=1 --') == []
    assert [call["seq"] for call in reader.list(limit=1)] == [three.seq]
    await log.close()


async def test_text_is_found_in_indexed_and_in_fresh_records_alike(url: str) -> None:
    log, reader = AuditLog(url), AuditReader(url)
    handles = [await log.begin(entry(number, arguments={"path": f"needle{number}.py"})) for number in range(300)]
    assert [call["seq"] for call in reader.list(AuditFilter(text="needle7"), limit=500)] == [
        handle.seq for number, handle in reversed(list(enumerate(handles))) if str(number).startswith("7")
    ]
    assert len(reader.list(AuditFilter(text="py"), limit=1_000)) == 300
    assert len(list(reader.stream(AuditFilter(text="py")))) == 300
    await log.close()


async def test_text_and_any_other_filter_are_found_together_however_many_calls_there_are(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "FEW", 5)  # beyond it, the index of words is asked
    log, reader = AuditLog(url), AuditReader(url)
    started = time.time()
    for number in range(300):
        who = "bob" if number % 10 == 3 else "alice"
        tool = "edit_file" if number % 2 else "read_file"
        handle = await log.begin(entry(number, principal=who, tool=tool, name=tool, session=f"s{number % 7}"))
        outcome = Outcome.TIMEOUT if number % 20 == 13 else Outcome.OK
        await log.end(handle, AuditEnd(outcome, error="it took weeks" if number % 50 == 3 else None))
    await log.close()

    def found(**wanted: object) -> list[str]:
        return [call["call"] for call in reader.list(AuditFilter(**wanted), limit=500)]  # type: ignore[arg-type]

    bobs = [f"call_{number}" for number in reversed(range(300)) if number % 10 == 3]
    assert found(text="billing", principal="bob") == bobs
    assert found(text="billing", principal="bob", tool="edit_file", effect="allow") == bobs
    assert found(text="billing", principal="bob", tool="read_file") == []
    assert found(text="weeks", principal="bob") == [f"call_{number}" for number in (253, 203, 153, 103, 53, 3)]
    assert found(text="billing", principal="bob", outcome="timeout") == bobs[::2]
    assert found(text="billing", principal="bob", since=started - 60, until=started + 600) == bobs
    assert found(text="billing", until=started - 60) == []
    assert found(text="billing", session="s3", principal="bob") == [
        f"call_{number}" for number in reversed(range(300)) if number % 10 == 3 and number % 7 == 3
    ]

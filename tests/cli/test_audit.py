"""`mewcode audit`: its forms, its filters, its exit codes."""

import csv
import io
import json
import sqlite3
from pathlib import Path

import anyio
import pytest
from tests.governance.audit.samples import entry
from typer.testing import CliRunner

from mewcode.calls import FileChange
from mewcode.cli.audit import app
from mewcode.config import Paths
from mewcode.errors import AuditError, UsageError
from mewcode.governance.audit import AuditEnd, AuditLog, Outcome

FIELDS = {
    "seq", "time", "principal", "roles", "door", "session", "server", "tool", "arguments", "effect", "rule", "outcome",
    "files", "duration_ms",
}  # fmt: skip


@pytest.fixture
def database() -> Path:
    """Records 1: open; 2, 3: a write; 4: a refusal; 5: a call that never ended; 6: an event; 7: close."""

    async def live() -> None:
        log = AuditLog(f"sqlite:///{Paths.from_environment().audit}")
        handle = await log.begin(entry(1, tool="write_file", name="write_file"))
        await log.end(handle, AuditEnd(Outcome.OK, 0.002, 5, (FileChange("a|b=c.py", None, "ab"),)))
        await log.refuse(
            entry(2, principal="mallory", effect="deny", rule="read_file(*)", arguments={"path": "=cmd()"})
        )
        await log.begin(entry(3))
        await log.event("token_refused", principal="mallory")
        await log.close()

    anyio.run(live)
    return Path(Paths.from_environment().audit)


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


def test_before_the_first_call_there_is_nothing_and_nothing_is_made() -> None:
    assert run("list", "--json") == (0, "[]\n")
    assert run("verify")[0] == 0
    assert run("stats")[0] == 0
    assert not Path(Paths.from_environment().audit).exists()


def test_list_has_the_fields_that_scripts_rely_on(database: Path) -> None:
    rows = json.loads(run("list", "--json")[1])
    assert [row["seq"] for row in rows] == [5, 4, 2]
    assert all(set(row) >= FIELDS for row in rows)
    assert [row["outcome"] for row in rows] == ["unknown", "refused", "ok"]


@pytest.mark.parametrize(
    ("arguments", "seqs"),
    [
        (("--who", "mallory"), [4]),
        (("--tool", "write_*"), [2]),
        (("--decision", "deny"), [4]),
        (("--outcome", "unknown"), [5]),
        (("--since", "1h"), [5, 4, 2]),
        (("--until", "2020-01-01"), []),
        (("--session", "none"), []),
        (("--text", "write"), [2]),
        (("--limit", "1"), [5]),
        (("--events",), [6, 5, 4, 2]),
    ],
)
def test_filters(database: Path, arguments: tuple[str, ...], seqs: list[int]) -> None:
    assert [row["seq"] for row in json.loads(run("list", "--json", *arguments)[1])] == seqs


@pytest.mark.parametrize("arguments", [("--decision", "maybe"), ("--outcome", "good"), ("--since", "yesterday-ish")])
def test_values_that_make_no_sense_are_named(database: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=arguments[1]):
        run("list", *arguments)


def test_show_gives_a_call_by_either_record_or_its_id_with_what_is_stored(database: Path) -> None:
    by_begin, by_end, by_id = (json.loads(run("show", key, "--json")[1]) for key in ("2", "3", "call_1"))
    assert by_begin == by_end == by_id
    assert [record["kind"] for record in by_begin["records"]] == ["begin", "end"]
    assert by_begin["files"] == [{"path": "a|b=c.py", "before": None, "after": "ab"}]
    with pytest.raises(UsageError, match="99"):
        run("show", "99")


def test_stats_count_and_draw(database: Path) -> None:
    found = json.loads(run("stats", "--json")[1])
    assert found["calls"] == 3
    assert found["outcomes"] == {"ok": 1, "refused": 1, "unknown": 1}
    assert found["refusals"] == [["read_file(*)", 1]]
    assert sum(found["per_bucket"]) == 3
    assert len(found["sparkline"]) == 40
    assert "read_file" in run("stats")[1]


def test_verify_exits_with_1_and_names_the_record_when_one_was_changed(database: Path, tmp_path: Path) -> None:
    assert run("verify")[0] == 0
    anchor = tmp_path / "anchor.json"
    assert run("verify", "--save-anchor", str(anchor))[0] == 0
    assert run("verify", "--anchor", str(anchor))[0] == 0
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE audit_records SET principal = 'bob' WHERE seq = 4")
    code, text = run("verify")
    assert (code, "record 4 " in text) == (1, True)
    code, text = run("verify", "--json")
    broken = json.loads(text)["broken"]
    assert (code, broken["kind"], broken["seq"]) == (1, "changed", 4)


def test_a_log_that_cannot_be_read_is_an_error(database: Path) -> None:
    database.write_bytes(b"x" * 8_192)
    with pytest.raises(AuditError):
        run("verify")


def test_export_as_json_lines_is_what_list_shows_oldest_first(database: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert run("export", "--output", str(file))[0] == 0
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows == list(reversed(json.loads(run("list", "--json", "--events")[1])))


def test_export_as_csv_has_a_header_and_no_cell_that_a_spreadsheet_would_run(database: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("export", "--format", "csv")[1])))
    assert [row["seq"] for row in rows] == ["2", "4", "5", "6"]
    assert rows[2]["outcome"] == "unknown"
    assert not any(cell[:1] in ("=", "+", "-", "@") for row in rows for cell in row.values())


def test_export_as_cef_escapes_what_the_format_needs(database: Path) -> None:
    lines = run("export", "--format", "cef")[1].splitlines()
    assert all(line.startswith("CEF:0|MewCode|MewCode|") for line in lines)
    assert "a|b\\=c.py" in lines[0]
    assert "act=deny" in lines[1]


def test_an_unknown_format_is_refused(database: Path) -> None:
    with pytest.raises(UsageError, match="xml"):
        run("export", "--format", "xml")

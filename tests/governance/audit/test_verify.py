"""Whatever somebody does to a log, `verify` names the first record that is wrong."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests.governance.audit.samples import entry, url_of

from mewcode.governance.audit import AuditEnd, AuditLog, Outcome
from mewcode.governance.audit.chain import HASHED, hash_of
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.verify import Verdict, verify


def write(url: str, calls: int) -> None:
    """One process's life: a chain of 2 records a call, an opening and a closing one, and what it saw of others."""

    async def live() -> None:
        log = AuditLog(url)
        for number in range(calls):
            handle = await log.begin(entry(number))
            await log.end(handle, AuditEnd(Outcome.OK, 0.001))
        await log.close()

    asyncio.run(live())


@pytest.fixture
def two_chains(tmp_path: Path) -> Path:
    """Records 1 to 8 are of the first chain; 9 to 17 of the second, whose record 10 says how far the first had come."""
    write(url_of(tmp_path), 3)
    write(url_of(tmp_path), 3)
    return tmp_path / "audit.db"


def checked(database: Path) -> Verdict:
    return verify(AuditReader(f"sqlite:///{database}"))


def tamper(database: Path, *statements: str) -> None:
    with sqlite3.connect(database) as connection:
        for statement in statements:
            connection.execute(statement)


def test_an_untouched_log_is_whole(two_chains: Path) -> None:
    verdict = checked(two_chains)
    assert (verdict.broken, verdict.records, [head.position for head in verdict.heads]) == (None, 17, [8, 9])


@pytest.mark.parametrize("column", [column for column in HASHED if column not in ("seq", "chain", "position")])
def test_any_changed_column_names_its_record(two_chains: Path, column: str) -> None:
    tamper(two_chains, f"UPDATE audit_records SET {column} = coalesce({column}, '') || '1' WHERE seq = 4")
    broken = checked(two_chains).broken
    assert broken is not None
    assert (broken.kind, broken.seq) == ("changed", 4)


def test_a_flipped_bit_in_a_stored_argument_is_found(two_chains: Path) -> None:
    content = two_chains.read_bytes()
    place = content.index(b"tax_1.py")
    two_chains.write_bytes(content[:place] + b"u" + content[place + 1 :])
    broken = checked(two_chains).broken
    assert broken is not None
    assert broken.kind == "changed"
    assert broken.seq in (4, 13)  # the second call of either process


@pytest.mark.parametrize("seq", range(1, 18))
def test_any_removed_record_is_named(two_chains: Path, seq: int) -> None:
    tamper(two_chains, f"DELETE FROM audit_records WHERE seq = {seq}")
    broken = checked(two_chains).broken
    assert broken is not None
    assert broken.kind == "removed"
    assert (broken.chain, broken.position) == chain_of(seq, two_chains)


def chain_of(seq: int, database: Path) -> tuple[str, int]:
    """Where record `seq` was before it was removed: known from its chain's other records."""
    with sqlite3.connect(database) as connection:
        first = "ASC" if seq <= 8 else "DESC"
        (chain,) = connection.execute(f"SELECT chain FROM audit_records ORDER BY seq {first} LIMIT 1").fetchone()
    return chain, seq if seq <= 8 else seq - 8


def test_the_removed_tail_of_a_chain_is_found_even_when_its_head_is_moved_back(two_chains: Path) -> None:
    last = "(SELECT chain FROM audit_records WHERE seq = 1)"
    tamper(
        two_chains,
        "DELETE FROM audit_records WHERE seq IN (7, 8)",
        f"UPDATE audit_chains SET position = 6, hash = (SELECT hash FROM audit_records WHERE seq = 6)"
        f" WHERE chain = {last}",
    )
    broken = checked(two_chains).broken
    assert broken is not None
    assert (broken.kind, broken.position) == ("removed", 1) or broken.seq == 7


def test_a_removed_whole_chain_is_found_even_when_its_head_went_with_it(two_chains: Path) -> None:
    first = "(SELECT chain FROM audit_records WHERE seq = 8)"
    tamper(
        two_chains,
        f"DELETE FROM audit_chains WHERE chain = {first}",
        "DELETE FROM audit_records WHERE seq <= 8",
    )
    broken = checked(two_chains).broken
    assert broken is not None
    assert broken.kind == "removed"


@pytest.mark.parametrize("columns", ["seq", "every column but seq"])
def test_exchanged_records_are_found(two_chains: Path, columns: str) -> None:
    if columns == "seq":
        steps = [f"UPDATE audit_records SET seq = {to} WHERE seq = {of}" for of, to in ((4, 99), (6, 4), (99, 6))]
    else:
        names = [name for name in (*HASHED, "hash") if name != "seq"]
        pairs = ", ".join(f"{name} = (SELECT o.{name} FROM audit_records o WHERE o.seq = 6)" for name in names)
        steps = [
            "CREATE TABLE kept AS SELECT * FROM audit_records WHERE seq = 4",
            f"UPDATE audit_records SET {pairs} WHERE seq = 4",
            "UPDATE audit_records SET " + ", ".join(f"{n} = (SELECT {n} FROM kept)" for n in names) + " WHERE seq = 6",
        ]
    tamper(two_chains, *steps)
    broken = checked(two_chains).broken
    assert broken is not None
    assert broken.kind in ("changed", "moved", "removed")


def test_a_chain_whose_hashes_were_all_made_anew_is_found_by_what_another_chain_saw(two_chains: Path) -> None:
    rewrite(two_chains, last=8)
    broken = checked(two_chains).broken
    assert broken is not None
    assert (broken.kind, broken.seq) == ("rewritten", 8)


def test_a_chain_that_no_other_has_seen_is_held_by_an_anchor_kept_elsewhere(tmp_path: Path) -> None:
    write(url_of(tmp_path), 2)
    database = tmp_path / "audit.db"
    anchors = checked(database).heads
    rewrite(database, last=6)
    assert checked(database).broken is None
    broken = verify(AuditReader(f"sqlite:///{database}"), anchors).broken
    assert broken is not None
    assert broken.kind == "rewritten"


def test_a_log_that_is_gone_is_found_by_an_anchor(two_chains: Path, tmp_path: Path) -> None:
    anchors = checked(two_chains).heads
    broken = verify(AuditReader(f"sqlite:///{tmp_path / 'other.db'}"), anchors).broken
    assert broken is not None
    assert broken.kind == "removed"


def rewrite(database: Path, last: int) -> None:
    """What somebody does who knows how the hashes are made: changes record 4 and makes all later ones fit."""
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        previous = "0" * 64
        for stored in connection.execute("SELECT * FROM audit_records WHERE seq <= ? ORDER BY seq", (last,)).fetchall():
            row = dict(stored)
            if row["seq"] == 4:
                row["principal"] = "mallory"
            row["previous"] = previous
            previous = hash_of(row)
            connection.execute(
                "UPDATE audit_records SET principal = ?, previous = ?, hash = ? WHERE seq = ?",
                (row["principal"], row["previous"], previous, row["seq"]),
            )
        chain = "(SELECT chain FROM audit_records WHERE seq = 1)"
        connection.execute(f"UPDATE audit_chains SET hash = ? WHERE chain = {chain}", (previous,))

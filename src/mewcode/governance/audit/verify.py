"""Walks the log and names the first record that is not as it was written. Importing this module imports SQLAlchemy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from mewcode.governance.audit.chain import HASHED, Head, hash_of_values
from mewcode.governance.audit.database import is_sqlite, many_rows, plain_rows
from mewcode.governance.audit.reader import AuditReader
from mewcode.governance.audit.schema import chains, records
from mewcode.governance.audit.witnesses import Witnesses, read_witnesses
from mewcode.messages import message


@dataclass(frozen=True)
class Break:
    """Where the log stops being what was written.

    `kind` is changed (the record is not what was hashed), moved (it does not follow its predecessor), removed (it is
    gone), rewritten (another chain or an anchor has seen it with another hash), or unlisted (a chain nobody began).
    `seq` is None where the number of what is gone cannot be told.
    """

    kind: str
    chain: str
    position: int
    seq: int | None = None

    def to_json(self) -> dict[str, Any]:
        place = {"chain": self.chain, "position": self.position, "seq": self.seq}
        return {"kind": self.kind, **place, "message": self.sentence()}

    def sentence(self) -> str:
        record = f"{self.seq} " if self.seq is not None else ""
        return message(f"audit.broken_{self.kind}", record=record, chain=self.chain, position=self.position)


@dataclass(frozen=True)
class Verdict:
    """`heads` are the ends of all chains: kept elsewhere, they prove later that nothing up to them was taken away."""

    records: int
    heads: tuple[Head, ...]
    broken: Break | None = None


@dataclass
class _Walk:
    witnesses: Witnesses
    sequential: bool
    bases: Mapping[str, Head]
    heads: dict[str, Head] = field(default_factory=dict[str, Head])
    last: int = 0
    count: int = 0
    gap: int | None = None
    """The first number that is missing; whose it was shows when a chain turns out to be too short."""

    def step(self, values: Sequence[Any], digest: str) -> Break | None:
        """Takes the next record, the values of its hashed columns and its hash, or says what is wrong before or with
        it."""
        seq, chain, position, previous = values[:4]
        head = self.heads.get(chain) or self.bases.get(chain) or Head(chain)
        if self.sequential and self.gap is None and seq != self.last + 1:
            self.gap = self.last + 1
        if position > head.position + 1:
            return self.removed(head)
        if digest != hash_of_values(values):
            return Break("changed", chain, position, seq)
        if position != head.position + 1 or previous != head.hash:
            return Break("moved", chain, position, seq)
        if not self.witnesses.agree(chain, position, digest):
            return Break("rewritten", chain, position, seq)
        self.heads[chain] = Head(chain, position, digest)
        self.last, self.count = seq, self.count + 1
        return None

    def removed(self, head: Head) -> Break:
        """What came after `head` is gone."""
        return Break("removed", head.chain, head.position + 1, self.gap)


def verify(reader: AuditReader, anchors: Iterable[Head] = ()) -> Verdict:
    """Reads every record. `anchors` are heads that were noted earlier and must still be part of the log."""
    noted = list(anchors)
    with reader.connected() as connection:
        if connection is None:
            lost = Break("removed", noted[0].chain, noted[0].position) if noted else None
            return Verdict(0, (), lost)
        return _walk(connection, noted)


def _walk(connection: Connection, anchors: list[Head]) -> Verdict:
    witnesses = read_witnesses(connection, anchors)
    listed = {
        row["chain"]: (
            Head(row["chain"], row["base"], row["base_hash"]),
            Head(row["chain"], row["position"], row["hash"]),
        )
        for row in plain_rows(connection.execute(select(chains)))
    }
    bases = {chain: base for chain, (base, _) in listed.items()}
    # A cut is told before it is made: what is still there counts.
    first = connection.execute(select(func.min(records.c.seq))).scalar() or 0
    walk = _Walk(witnesses, is_sqlite(connection), bases, last=min(witnesses.pruned_through, max(first - 1, 0)))
    columns = [records.c[name] for name in (*HASHED, "hash")]
    rows = many_rows(connection, select(*columns).order_by(records.c.seq))
    broken = next((found for row in rows if (found := walk.step(row[:-1], row[-1])) is not None), None)
    broken = broken or _check_ends(walk, listed)
    return Verdict(walk.count, tuple(walk.heads.values()), broken)


def _check_ends(walk: _Walk, listed: Mapping[str, tuple[Head, Head]]) -> Break | None:
    """What no record can tell: whether the last ones of a chain, or all of it, are still there."""
    for chain, (base, end) in listed.items():
        if base.position and not walk.witnesses.pruned(base):
            return Break("removed", chain, 1)
        reached = walk.heads.get(chain, base)
        if reached.position < end.position:
            return walk.removed(reached)
        if reached != end:
            return Break("rewritten", chain, reached.position)
    unlisted = next((head for chain, head in walk.heads.items() if chain not in listed), None)
    if unlisted is not None:
        return Break("unlisted", unlisted.chain, unlisted.position)
    lost = walk.witnesses.unmet()
    if lost is not None:
        return Break("removed", lost.chain, lost.position, walk.gap)
    return Break("removed", "?", 0, walk.gap) if walk.gap is not None else None

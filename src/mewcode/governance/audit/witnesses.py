"""What chains say of one another, and anchors of all: hashes at certain places, and what retention has removed."""

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, select

from mewcode.governance.audit.chain import Head
from mewcode.governance.audit.schema import records


class Witnesses:
    """Each says: at this position the chain had this hash."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, int], set[str]] = {}
        self._pruned: dict[str, dict[int, str]] = {}
        self.pruned_through = 0

    def say(self, head: Head) -> None:
        self._said.setdefault((head.chain, head.position), set()).add(head.hash)

    def say_pruned(self, base: Head) -> None:
        self._pruned.setdefault(base.chain, {})[base.position] = base.hash

    def agree(self, chain: str, position: int, digest: str) -> bool:
        """Whether all that was said of a record holds. What was met is not asked for again."""
        return self._said.pop((chain, position), {digest}) == {digest}

    def pruned(self, base: Head) -> bool:
        """Whether a record says that retention removed the chain up to here."""
        return self._pruned.get(base.chain, {}).get(base.position) == base.hash

    def unmet(self) -> Head | None:
        """Something that was seen, that retention did not remove, and that is not there."""
        for (chain, position), digests in sorted(self._said.items()):
            if position > max(self._pruned.get(chain, {0: ""})):
                return Head(chain, position, min(digests))
        return None


def read_witnesses(connection: Connection, anchors: Iterable[Head]) -> Witnesses:
    """Collects what the log says of itself. Whether those records are genuine, the walk finds out."""
    witnesses = Witnesses()
    for anchor in anchors:
        witnesses.say(anchor)
    query = select(records.c.kind, records.c.body).where(records.c.kind.in_(("checkpoint", "pruned")))
    for row in connection.execute(query.order_by(records.c.seq)):
        with suppress(ValueError, TypeError, AttributeError):  # a record that was tampered with: the walk names it
            _take(witnesses, json.loads(row.body))
    return witnesses


def _take(witnesses: Witnesses, body: dict[str, Any]) -> None:
    for chain, position, digest in body.get("heads", ()):
        witnesses.say(Head(chain, position, digest))
    for chain, position, digest in body.get("bases", ()):
        witnesses.say_pruned(Head(chain, position, digest))
    witnesses.pruned_through = max(witnesses.pruned_through, int(body.get("through", 0)))

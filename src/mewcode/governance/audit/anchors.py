"""Heads of chains kept outside the log: they prove that nothing up to them was taken away since."""

import json
from collections.abc import Iterable
from pathlib import Path

from mewcode.errors import UsageError
from mewcode.governance.audit.chain import Head


def write_anchors(file: Path, heads: Iterable[Head]) -> None:
    """Raises UsageError."""
    try:
        file.write_text(json.dumps([head.to_json() for head in heads]) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError("audit.anchor_not_saved", file=file, why=error.strerror) from error


def read_anchors(file: Path) -> list[Head]:
    """Raises UsageError."""
    try:
        return [
            Head(str(one["chain"]), int(one["position"]), str(one["hash"]))
            for one in json.loads(file.read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError("audit.bad_anchor", file=file, why=error) from error

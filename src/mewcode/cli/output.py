"""How commands print: results to standard output, notes to standard error, tables on a terminal, plain when piped."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def print_json(value: Any) -> None:
    """One JSON document, indented for a person at a terminal, on one line for a pipe."""
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent, default=str) + "\n")
    sys.stdout.flush()


def print_text(text: str = "") -> None:
    """A result for standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Progress, warnings and errors go to standard error, so that results can be piped."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on a terminal; tab-separated lines without a header when piped, as git and gh do."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            sys.stdout.write("\t".join(" ".join(cell.split()) for cell in row) + "\n")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in cells:
        table.add_row(*row)
    Console(no_color="NO_COLOR" in os.environ, highlight=False).print(table)

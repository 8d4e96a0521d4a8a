"""The tables of complaints claim nothing without a test that runs."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBERED = (ROOT / "docs/complaints.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \|(.*)\|$", NUMBERED, re.MULTILINE)
OTHERS = (ROOT / "docs/complaints-protocol.md").read_text(encoding="utf-8").splitlines()
NAMED = re.compile(r"`([\w/]*(?:\.py)?)::(test_\w+)`")


def named_in(row: str) -> list[str]:
    """The node ids of a row's tests; a file stands for those after it."""
    file, found = "", list[str]()
    for path, test in NAMED.findall(row):
        file = path or file
        found.append(f"tests/{file}::{test}")
    return found


def test_every_situation_has_a_row_with_a_test() -> None:
    assert sorted(int(number) for number, _ in ROWS) == list(range(1, 41))
    assert [number for number, row in ROWS if not named_in(row)] == []


def collected_from(file: str) -> set[str]:
    """What pytest collects from a file: its functions by that name, as long as the file is called as tests are."""
    path = ROOT / file
    if not path.is_file() or not path.name.startswith("test_"):
        return set()
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, functions)}


def test_every_test_in_the_tables_is_collected() -> None:
    wanted = {test for row in (*NUMBERED.splitlines(), *OTHERS) if row.startswith("|") for test in named_in(row)}
    assert len(wanted) > 60
    assert {test for test in wanted if test.partition("::")[2] not in collected_from(test.partition("::")[0])} == set()

"""docs/security.md claims nothing without a test."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_row_of_the_threat_model_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and not line.startswith(("| claim", "|---"))]
    assert len(rows) > 20
    for row in rows:
        file = ""
        named = re.findall(r"`([\w/]*(?:\.py)?)::(test_\w+)`", row)
        assert named, row
        for path, test in named:
            file = path or file
            assert f"def {test}(" in (TESTS / file).read_text(encoding="utf-8"), f"{file}::{test}"

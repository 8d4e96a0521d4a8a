import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = [target for target, _ in LINK.findall(page.read_text("utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_index_lists_every_page() -> None:
    listed = set(re.findall(r"\]\(([\w.-]+\.md)\)", (ROOT / "docs/README.md").read_text("utf-8")))
    there = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert there == listed


def without_comments(text: str) -> list[str]:
    lines = [line.split(" #")[0].rstrip() for block in CODE.findall(text) for line in block.splitlines()]
    return [line for line in lines if line]


def test_the_chinese_readme_gives_the_same_commands_as_the_english_one() -> None:
    english, chinese = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md"))
    assert without_comments(english) == without_comments(chinese)
    headings = [len(re.findall(r"^#+ ", text, re.MULTILINE)) for text in (english, chinese)]
    assert headings[0] == headings[1]


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("complaints*.md")), ids=lambda page: page.name)
def test_every_row_of_a_table_of_complaints_names_a_test_that_is_there_or_says_why_none_is(page: Path) -> None:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ") and "| test |" not in line]
    assert len(rows) >= 24
    for row in rows:
        file, last = "", row.rstrip(" |").rpartition("|")[2]
        named = re.findall(r"`([\w/]*(?:\.py)?)::(test_\w+)`", last)
        assert named or "does not apply" in row, row
        for path, test in named:
            file = path or file
            assert f"def {test}(" in (ROOT / "tests" / file).read_text("utf-8"), f"{file}::{test}"

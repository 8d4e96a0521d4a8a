"""The outputs on the pages are what the program prints."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def outputs() -> Any:
    spec = spec_from_file_location("outputs", ROOT / "docs" / "outputs.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_output_is_what_its_command_prints(outputs: Any) -> None:
    """Mend it with: python docs/outputs.py."""
    for name in outputs.PAGES:
        page = ROOT / name
        assert outputs.page_with_outputs(page) == page.read_text("utf-8"), name


def test_every_page_with_an_output_is_among_those_that_are_made(outputs: Any) -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    mark = re.compile(r"^<!-- output of: .+ -->$", re.MULTILINE)
    marked = {str(page.relative_to(ROOT)) for page in pages if mark.search(page.read_text("utf-8"))}
    assert marked == set(outputs.PAGES)


def test_no_output_stands_without_the_command_that_made_it() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        text = page.read_text("utf-8")
        blocks = len(re.findall(r"^```text$", text, re.MULTILINE))
        assert blocks == len(re.findall(r"^<!-- output of: .+ -->\n```text$", text, re.MULTILINE)), page.name

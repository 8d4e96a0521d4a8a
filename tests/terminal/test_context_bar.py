"""The bar of /context."""

from hypothesis import given
from hypothesis import strategies as st

from mewcode.terminal.commands.context import KINDS, bar_cells

SHARES = st.dictionaries(st.sampled_from(list(KINDS)), st.integers(1, 500_000))


@given(SHARES, st.integers(1, 1_000_000), st.integers(20, 60))
def test_the_bar_fits_and_shows_everything_that_is_there(shares: dict[str, int], window: int, width: int) -> None:
    cells = bar_cells(shares, window, width)
    assert sum(cells.values()) <= width
    assert set(cells) == set(shares) and all(count >= 1 for count in cells.values())


def test_cells_follow_tokens() -> None:
    assert bar_cells({"system": 100, "results": 500}, 1000, 60) == {"system": 6, "results": 30}

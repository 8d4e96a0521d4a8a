import pytest

from mewcode.config.header_values import unfit_at


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("Bearer abc", None),
        ("", None),
        ("  padded\t", None),
        ("trailing line break\n", None),
        ("in\nside", 3),
        ("with\x00nul", 5),
        ("key，next", 4),
        (" é", 2),
        ("tab\tinside", None),
        ("\x7f", 1),
    ],
)
def test_what_no_header_can_carry_is_found_where_it_stands(value: str, place: int | None) -> None:
    assert unfit_at(value) == place

"""Durations and sizes as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.config.quantities import parse_duration, parse_size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("500ms", 0.5),
        ("30s", 30),
        ("5m", 300),
        ("2h", 7200),
        ("365d", 365 * 86400),
        ("1m30s", 90),
        (" 1.5 s ", 1.5),
        (30, 30),
        (0.25, 0.25),
        ("45", 45),
        ("0", 0),
        ("1h 5m", 3900),
    ],
)
def test_durations_are_read_as_seconds(text: object, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "soon", "5x", "-5s", -1, True, None, [], float("nan"), float("inf"), "5 5", "s5", "٣s"]
)
def test_what_is_no_duration_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="bad_duration"):
        parse_duration(text)


@given(st.integers(0, 10**6), st.sampled_from(["ms", "s", "m", "h", "d", "w"]))
def test_units_are_exact_multiples(number: int, unit: str) -> None:
    factor = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}[unit]
    assert parse_duration(f"{number}{unit}") == pytest.approx(number * factor)


@given(st.lists(st.tuples(st.integers(0, 999), st.sampled_from(["ms", "s", "m", "h"])), min_size=1, max_size=4))
def test_parts_add_up(parts: list[tuple[int, str]]) -> None:
    text = " ".join(f"{number}{unit}" for number, unit in parts)
    assert parse_duration(text) == pytest.approx(sum(parse_duration(f"{number}{unit}") for number, unit in parts))


@given(st.text() | st.integers() | st.floats() | st.none() | st.booleans())
def test_any_value_is_a_duration_or_refused(value: object) -> None:
    try:
        assert 0 <= parse_duration(value) < float("inf")
    except ValueError as error:
        assert str(error) == "config.bad_duration"


@pytest.mark.parametrize(
    ("text", "size"), [("64MiB", 64 * 1024**2), ("10 MB", 10**7), (4000, 4000), ("1kb", 1000), ("2GiB", 2**31)]
)
def test_sizes_are_read_as_bytes(text: object, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "big", "-1", -1, True, None, "1TBx", "1.5.2MB"])
def test_what_is_no_size_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="bad_size"):
        parse_size(text)

"""Durations and sizes as people write them: 500ms, 30s, 5m, 2h, 365d, or seconds as a number; 4000, 64MiB, 10 MB."""

import math
import re
from typing import Annotated

from pydantic import BeforeValidator, Field

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_BYTES = {
    "": 1,
    "b": 1,
    "k": 1000,
    "kb": 1000,
    "m": 1000**2,
    "mb": 1000**2,
    "g": 1000**3,
    "gb": 1000**3,
    "kib": 1024,
    "mib": 1024**2,
    "gib": 1024**3,
}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)", re.ASCII)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]*)", re.ASCII)

DURATION_PATTERN = r"^\s*(\d+(\.\d+)?\s*(ms|s|m|h|d|w)\s*)+$|^\s*\d+(\.\d+)?\s*$"


def parse_duration(value: object) -> float:
    """Seconds. Units may be strung together (1m30s). Raises ValueError for anything that is no duration."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("config.bad_duration")
    seconds = _seconds_of_text(value.strip()) if isinstance(value, str) else float(value)
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError("config.bad_duration")
    return seconds


def _seconds_of_text(text: str) -> float:
    if re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return float(text)
    parts = _PART.findall(text)
    if not parts or _PART.sub("", text).strip():
        raise ValueError("config.bad_duration")
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def parse_size(value: object) -> int:
    """Bytes. kB is 1000 bytes, KiB 1024. Raises ValueError for anything that is no size."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    matched = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    factor = _BYTES.get(matched.group(2).lower()) if matched else None
    if matched is None or factor is None:
        raise ValueError("config.bad_size")
    return round(float(matched.group(1)) * factor)


Duration = Annotated[
    float,
    BeforeValidator(parse_duration, json_schema_input_type=Annotated[str, Field(pattern=DURATION_PATTERN)] | float),
]
"""Seconds, read from a number or from text with a unit."""

Size = Annotated[
    int, BeforeValidator(parse_size, json_schema_input_type=Annotated[str, Field(pattern=r"^\s*\d.*$")] | int)
]
"""Bytes, read from a number or from text with a unit."""

"""Moments as people write them: how long ago, or a date."""

import re
from datetime import datetime

_AGO = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def moment(text: str, now: float) -> float:
    """Seconds since the epoch for `30m` (half an hour before `now`), `2026-11-30` or `2026-11-30T17:00` (local time
    unless it names a zone). Raises ValueError.
    """
    if match := _AGO.fullmatch(text.strip().lower()):
        return now - float(match.group(1)) * _SECONDS[match.group(2)]
    return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).timestamp()

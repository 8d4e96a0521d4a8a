"""When a token ends."""

from datetime import datetime, timezone

from mewcode.errors import UsageError


def moment(text: str) -> float:
    """Seconds since the epoch of an ISO 8601 date or time; UTC where it names no zone. Raises UsageError."""
    try:
        parsed = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        raise UsageError("serve.bad_time", text=text) from None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)).timestamp()

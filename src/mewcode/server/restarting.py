"""Settings that count from the start of the server on, and that a reload leaves as they are."""

from operator import attrgetter

from mewcode.config import Settings

AT_THE_START = (
    "server.role",
    "server.max_connections",
    "server.max_body",
    "server.session_idle",
    "server.drain",
    "server.public_url",
    "server.state_key",
    "server.approvals_expire_after",
    "confirmations.expire_after",
    "state.url",
    "state.prefix",
    "state.timeout",
    "telemetry.metrics",
    "telemetry.traces",
    "telemetry.headers",
    "telemetry.service_name",
)


def needing_restart(started: Settings, now: Settings) -> list[str]:
    """The names of those that are others than at the start. A certificate may change, but not whether there is one."""
    changed = [name for name in AT_THE_START if attrgetter(name)(started) != attrgetter(name)(now)]
    tls = [] if (started.server.tls is None) == (now.server.tls is None) else ["server.tls"]
    return changed + tls

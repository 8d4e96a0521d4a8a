"""The numbers that operators watch, in a Prometheus registry of this app's own."""

from collections.abc import Mapping
from typing import Any, Literal

BREAKER_STATES = ("closed", "half_open", "open")
_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


class Metrics:
    """Counts calls and shows states. `prometheus_client` is imported here, when the first one is made."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        labels = ("tool", "server")
        self._calls = self._make(Counter, "mewcode_calls_total", "Calls that ended", (*labels, "outcome"))
        self._seconds: Any = Histogram(
            "mewcode_call_seconds", "Time of a call in the hands", labels, buckets=_SECONDS, registry=self.registry
        )
        self._refusals = self._make(Counter, "mewcode_refusals_total", "Calls refused", ("reason",))
        self._in_flight = self._make(Gauge, "mewcode_calls_in_flight", "Calls that run now", ())
        self._breaker = self._make(Gauge, "mewcode_breaker_state", "1 for the breaker's state", ("server", "state"))
        self._upstream = self._make(Gauge, "mewcode_upstream_state", "1 for the server's state", ("server", "state"))
        self._requests = self._make(Counter, "mewcode_http_requests_total", "HTTP requests", ("method", "status"))
        self._tokens = self._make(Counter, "mewcode_model_tokens_total", "Tokens of models", ("model", "kind"))
        self._connections = self._make(
            Gauge, "mewcode_principal_connections", "Connections of principals to a server", ("server", "state")
        )
        self._upstream_states: dict[str, str] = {}

    def _make(self, kind: Any, name: str, about: str, labels: tuple[str, ...]) -> Any:
        return kind(name, about, labels, registry=self.registry)

    def call_started(self) -> None:
        self._in_flight.inc()

    def call_ended(self, tool: str, server: str | None, outcome: str, seconds: float) -> None:
        """`outcome` as in the audit: ok, tool_error, timeout, cancelled, failed, unknown."""
        self._in_flight.dec()
        self._calls.labels(tool, server or "", outcome).inc()
        self._seconds.labels(tool, server or "").observe(seconds)

    def refused(self, reason: str) -> None:
        """`reason` is a kind (rule, role, rate_limit, breaker, nobody_to_ask), never free text."""
        self._refusals.labels(reason).inc()

    def breaker(self, server: str, state: Literal["closed", "half_open", "open"]) -> None:
        for one in BREAKER_STATES:
            self._breaker.labels(server, one).set(1 if one == state else 0)

    def upstream(self, server: str, state: str) -> None:
        before = self._upstream_states.get(server)
        if before is not None and before != state:
            self._upstream.labels(server, before).set(0)
        self._upstream_states[server] = state
        self._upstream.labels(server, state).set(1)

    def connections(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Of principals to the servers where each has its own, by server and state: all that there are now."""
        self._connections.clear()
        for (server, state), count in counts.items():
            self._connections.labels(server, state).set(count)

    def request(self, method: str, status: int) -> None:
        self._requests.labels(method, str(status)).inc()

    def tokens(self, model: str, *, input: int = 0, output: int = 0, cached: int = 0) -> None:  # noqa: A002
        for kind, count in (("input", input), ("output", output), ("cached", cached)):
            if count:
                self._tokens.labels(model, kind).inc(count)

    def render(self, accept: str = "") -> tuple[bytes, str]:
        """What /metrics answers, and its content type; `accept` is the request's header."""
        from prometheus_client.exposition import choose_encoder

        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type

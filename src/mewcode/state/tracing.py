"""Spans for whoever collects them. Without a collector nothing of OpenTelemetry is imported."""

import importlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from mewcode.errors import SettingsError


class Span(Protocol):
    """The part of OpenTelemetry's span that we use."""

    def set_attribute(self, key: str, value: Any) -> None: ...

    def set_status(self, status: Any, description: str | None = None) -> None: ...


class _NoSpan:
    def set_attribute(self, key: str, value: Any) -> None:
        return

    def set_status(self, status: Any, description: str | None = None) -> None:
        return


_NO_SPAN = _NoSpan()


class Tracing:
    """Makes spans with the semantic conventions' names that callers give. `provider` is an OpenTelemetry SDK
    TracerProvider, None for no tracing."""

    def __init__(self, provider: Any = None) -> None:
        self._provider = provider
        self._tracer: Any = provider.get_tracer("mewcode") if provider else None

    @property
    def on(self) -> bool:
        return self._tracer is not None

    @contextmanager
    def span(
        self, name: str, attributes: Mapping[str, Any] | None = None, *, carrier: Mapping[str, str] | None = None
    ) -> Generator[Span, None, None]:
        """`carrier` holds a caller's `traceparent`, of which the new span becomes a child."""
        if self._tracer is None:
            yield _NO_SPAN
            return
        context = _propagator().extract(dict(carrier)) if carrier else None
        # An exception's text may hold what a tool or a server said; only its type is recorded.
        with self._tracer.start_as_current_span(
            name,
            context=context,
            attributes=dict(attributes or {}),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(_error_status())
                raise

    def inject(self, carrier: dict[str, str]) -> None:
        """Adds `traceparent` of the current span to headers or `_meta` of an outgoing call."""
        if self._tracer is not None:
            _propagator().inject(carrier)

    def close(self) -> None:
        """Sends what is left."""
        if self._provider is not None:
            self._provider.shutdown()


def open_tracing(
    url: str | None, *, headers: Mapping[str, str] | None = None, service_name: str = "mewcode"
) -> Tracing:
    """Spans go to the collector at `url` (OTLP over HTTP). Raises SettingsError when the exporter is not installed."""
    if url is None:
        return Tracing()
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        exporters = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError:
        raise SettingsError("state.telemetry_missing") from None
    provider = TracerProvider(resource=Resource.create({"service.name": service_name}))
    provider.add_span_processor(
        BatchSpanProcessor(exporters.OTLPSpanExporter(endpoint=url, headers=dict(headers or {})))
    )
    return Tracing(provider)


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()


def _error_status() -> Any:
    from opentelemetry.trace import StatusCode

    return StatusCode.ERROR

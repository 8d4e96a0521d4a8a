"""Logs without secrets, spans where a collector is named, numbers for Prometheus; nothing heavy until it is used."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mewcode.errors import SettingsError
from mewcode.state import Metrics, Tracing, open_tracing, start_logging


def redact(text: str) -> str:
    return text.replace('hun"ter2', "•••")


def test_logs_are_json_lines_without_secrets_for_this_user_only(tmp_path: Path) -> None:
    stop = start_logging(tmp_path / "logs", redact=redact)
    try:
        logging.getLogger("mcp.client").warning("sent %s", 'hun"ter2', extra={"server": "a", "more": ['hun"ter2', 1]})
        try:
            raise ValueError('hun"ter2')
        except ValueError:
            logging.getLogger("mewcode").exception("failed")
        logging.getLogger("mewcode").debug("not this")
    finally:
        stop()
    file = tmp_path / "logs" / "mewcode.log"
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    assert (first["level"], first["logger"], first["message"]) == ("warning", "mcp.client", "sent •••")
    assert (first["server"], first["more"]) == ("a", ["•••", 1])
    assert "ValueError: •••" in second["exception"]
    assert "ter2" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_logs_are_rotated(tmp_path: Path) -> None:
    stop = start_logging(tmp_path, size=2_000, files=2)
    try:
        for number in range(100):
            logging.getLogger("mewcode").info("line %d", number)
    finally:
        stop()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mewcode.log", "mewcode.log.1", "mewcode.log.2"]


def test_a_folder_that_cannot_be_written_costs_the_logs_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    stop = start_logging(tmp_path / "file" / "logs")
    logging.getLogger("mewcode").warning("nowhere")
    stop()
    assert (tmp_path / "file").read_text() == ""


def test_spans_nest_under_the_callers_trace_and_say_how_they_ended() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing = Tracing(provider)
    caller = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    outgoing: dict[str, str] = {}
    with pytest.raises(RuntimeError), tracing.span("tools/call", {"mcp.method.name": "tools/call"}, carrier=caller):
        tracing.inject(outgoing)
        raise RuntimeError("a secret")
    (span,) = exporter.get_finished_spans()
    assert span.context and f"{span.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
    assert outgoing["traceparent"].split("-")[1] == "0af7651916cd43dd8448eb211c80319c"
    assert span.attributes and span.attributes["error.type"] == "RuntimeError"
    assert not span.status.is_ok
    assert "a secret" not in span.to_json()


def test_without_a_collector_spans_cost_nothing_and_carry_nothing() -> None:
    tracing = open_tracing(None)
    carrier: dict[str, str] = {}
    with tracing.span("x") as span:
        span.set_attribute("a", 1)
        tracing.inject(carrier)
    tracing.close()
    assert (tracing.on, carrier) == (False, {})


def test_a_collector_without_the_exporter_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingsError, match="telemetry"):
        open_tracing("http://127.0.0.1:4318/v1/traces")


def test_metrics_tell_calls_refusals_and_states() -> None:
    metrics = Metrics()
    metrics.call_started()
    metrics.call_started()
    metrics.call_ended("read_file", None, "ok", 0.02)
    metrics.refused("rate_limit")
    metrics.breaker("github", "open")
    metrics.upstream("github", "connecting")
    metrics.upstream("github", "ready")
    metrics.request("POST", 200)
    metrics.tokens("m", input=10, output=2)
    text, kind = metrics.render()
    lines = text.decode().splitlines()
    assert kind.startswith("text/plain")
    assert 'mewcode_calls_total{outcome="ok",server="",tool="read_file"} 1.0' in lines
    assert "mewcode_calls_in_flight 1.0" in lines
    assert 'mewcode_refusals_total{reason="rate_limit"} 1.0' in lines
    assert 'mewcode_breaker_state{server="github",state="open"} 1.0' in lines
    assert 'mewcode_breaker_state{server="github",state="closed"} 0.0' in lines
    assert 'mewcode_upstream_state{server="github",state="connecting"} 0.0' in lines
    assert 'mewcode_upstream_state{server="github",state="ready"} 1.0' in lines
    assert 'mewcode_model_tokens_total{kind="output",model="m"} 2.0' in lines


def test_two_apps_have_metrics_of_their_own() -> None:
    first, second = Metrics(), Metrics()
    first.refused("rule")
    assert b'reason="rule"' not in second.render()[0]


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, mewcode.state, mewcode.config; from mewcode.state import open_store, open_tracing;"
        "open_store(None); open_tracing(None);"
        "heavy = {'redis', 'keyring', 'opentelemetry', 'prometheus_client', 'ruamel', 'mcp', 'pydantic_ai', 'rich'};"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

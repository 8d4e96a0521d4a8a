"""An OpenTelemetry collector for tests: takes spans over HTTP and keeps them."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    url: str
    spans: list[Any] = field(default_factory=list[Any])

    def named(self, beginning: str) -> list[Any]:
        return [span for span in self.spans if span.name.startswith(beginning)]


def attributes(span: Any) -> dict[str, str]:
    return {one.key: one.value.string_value for one in span.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            data = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            request = ExportTraceServiceRequest.FromString(data)
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    collector.spans.extend(scope.spans)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_address[1]}/v1/traces"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()

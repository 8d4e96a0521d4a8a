"""A download server on 127.0.0.1 that can be cut off, forget ranges, or serve the wrong bytes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """Serves `data`. Each of `cuts` ends one connection after so many bytes; `requests` has the Range of each."""

    data: bytes
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    status: int | None = None
    url: str = ""
    requests: list[str | None] = field(default_factory=list)


@contextmanager
def serving(server: FileServer) -> Iterator[FileServer]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            return

        def do_GET(self) -> None:
            wanted = self.headers.get("range")
            server.requests.append(wanted)
            if server.status is not None:
                self.send_error(server.status)
                return
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and server.ranges else 0
            body = server.data[start:]
            self.send_response(206 if wanted and server.ranges else 200)
            self.send_header("content-length", str(len(body)))
            if wanted and server.ranges:
                self.send_header("content-range", f"bytes {start}-{len(server.data) - 1}/{len(server.data)}")
            self.end_headers()
            self.wfile.write(body[: server.cuts.pop(0)] if server.cuts else body)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/weights.gguf"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join(10)

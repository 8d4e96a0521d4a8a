"""A language model's HTTP endpoint on 127.0.0.1 that answers from a script, in three wire formats."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any

from tests.endpoint import anthropic_wire, openai_wire, responses_wire
from tests.endpoint.turns import Fault, Recorded, Script, Turn

_WIRES: dict[str, ModuleType] = {
    "/chat/completions": openai_wire,
    "/messages": anthropic_wire,
    "/responses": responses_wire,
}


class ModelEndpoint:
    """Holds the script and what was asked. `requests` has every POST, `answered` counts the turns used up, `ends` are
    the times (time.monotonic()) at which a streamed answer was sent to its end."""

    def __init__(self, script: Script, models: tuple[str, ...] = ("scripted",)) -> None:
        self.requests: list[Recorded] = []
        self.answered = 0
        self.ends: list[float] = []
        self.stopping = threading.Event()
        self.models = models
        self.port = 0
        self._script = script
        self._faults_left: dict[int, int] = {}
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The base URL for an OpenAI client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for an Anthropic client, which adds /v1 itself."""
        return f"http://127.0.0.1:{self.port}"

    def record(self, method: str, path: str, headers: dict[str, str], raw: bytes) -> Recorded:
        with self._lock:
            request = Recorded(self.answered, method, path, headers, raw, time.monotonic())
            self.requests.append(request)
            return request

    def next_turn(self, request: Recorded) -> tuple[Turn, Fault | None]:
        """The turn for this request, and the fault to show instead while it has times left."""
        with self._lock:
            turn = self._turn(request)
            fault = turn.fault
            if fault is not None:
                left = self._faults_left.setdefault(self.answered, fault.times)
                if left > 0 and fault.kind != "slow":
                    self._faults_left[self.answered] = left - 1
                    return turn, fault
            self.answered += 1
            return turn, fault if fault and fault.kind == "slow" else None

    def _turn(self, request: Recorded) -> Turn:
        if callable(self._script):
            answer = self._script(request)
        elif self.answered < len(self._script):
            answer = self._script[self.answered]
            answer = answer(request) if callable(answer) else answer
        else:
            text = f"the script has only {len(self._script)} turns"
            return Turn(fault=Fault("status", times=1_000_000, status=400, body=text))
        return Turn(answer) if isinstance(answer, str) else answer


@contextmanager
def serve(script: Script, *, port: int = 0, models: tuple[str, ...] = ("scripted",)) -> Iterator[ModelEndpoint]:
    """Runs the endpoint in a thread until the block ends."""
    endpoint = ModelEndpoint(script, models)

    class Handler(_Handler):
        served = endpoint

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    endpoint.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    served: ModelEndpoint
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Else the second piece of an answer waits some 40 ms for the caller's acknowledgement of the first."""

    def log_message(self, *args: object) -> None:
        return

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            self._send(
                200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.served.models]}
            )
        else:
            self._send(404, {"error": {"message": f"no such page: {self.path}"}})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        wire = next((wire for end, wire in _WIRES.items() if self.path.split("?")[0].endswith(end)), None)
        if wire is None:
            self._send(404, {"error": {"message": f"no such page: {self.path}"}})
            return
        request = self.served.record("POST", self.path, headers, raw)
        turn, fault = self.served.next_turn(request)
        if fault is not None and fault.kind == "status":
            self._send_status(wire, fault)
        elif request.json.get("stream"):
            self._stream(wire, turn, request.json, fault)
        else:
            self._send(200, wire.whole(turn, request.json))

    def _send_status(self, wire: ModuleType, fault: Fault) -> None:
        extra = {} if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
        self._send(fault.status, wire.error(fault.status, fault.body or f"scripted failure {fault.status}"), extra)

    def _send(self, status: int, payload: Any, extra: dict[str, str] | None = None) -> None:
        body = json.dumps(payload).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(extra or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, wire: ModuleType, turn: Turn, request: dict[str, Any], fault: Fault | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            self._write_events(wire, turn, request, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _write_events(self, wire: ModuleType, turn: Turn, request: dict[str, Any], fault: Fault | None) -> None:
        kind = fault.kind if fault else None
        if kind == "no_answer":
            self._end()
            return
        for index, event in enumerate(wire.events(turn, request)):
            if (
                fault is not None
                and kind in {"cut", "ended", "malformed", "silence", "error_event"}
                and index == fault.after
            ):
                self._break(wire, fault)
                return
            if fault is not None and kind == "slow":
                self.served.stopping.wait(fault.seconds)
            self._chunk(event)
        self._end()
        self.served.ends.append(time.monotonic())

    def _break(self, wire: ModuleType, fault: Fault) -> None:
        self.close_connection = True
        if fault.kind == "silence":
            self.served.stopping.wait(fault.seconds)
        elif fault.kind == "ended":
            self._end()
        elif fault.kind == "malformed":
            self._chunk(wire.malformed_event())
            self._end()
        elif fault.kind == "error_event":
            self._chunk(wire.error_event("scripted overload"))
            self._end()

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

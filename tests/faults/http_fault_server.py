#!/usr/bin/env python3
"""A Streamable HTTP server (2025-11-25) that misbehaves in one chosen way.

Usage: http_fault_server.py MODE [PORT]      `http_fault_server.py --list` prints the modes.

Prints the port it listens on (127.0.0.1) as its first line. Standard library only.
"""

import json
import sys
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODES = {
    "ok": "behaves",
    "status_401": "asks for a login, with a WWW-Authenticate header",
    "status_403": "forbids",
    "status_404": "has no such path",
    "status_421": "does not serve this host",
    "status_429": "limits its callers, with a Retry-After header",
    "status_500": "fails with a page of text",
    "status_503": "is not available, with an empty body",
    "call_401": "asks for a login at the first call",
    "call_429": "limits at the first call",
    "call_500": "fails at the first call",
    "html": "answers 200 with a page of HTML",
    "call_html": "answers a call with a page of HTML",
    "cut_json": "closes the connection in the middle of a call's JSON",
    "cut_sse": "closes the event stream of a call before the result",
    "drop": "closes the connection of a call without a byte",
    "slow_headers": "does not even send headers for a call",
    "slow_connect": "does not send headers for anything",
    "redirect_away": "redirects to another origin",
    "redirect_home": "redirects to another path of its own",
    "expired_session": "forgets every session at the first call of its life",
    "big_event": "answers a call with an event of 4 MiB",
    "accepted": "answers a request with 202 and no body",
    "list_changed": "has one more tool after a call and says so on the GET stream",
}
OBJECT = {"type": "object", "properties": {}}
SESSIONS = set()
LATE = []
STREAMS = []
CALLS = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mode = "ok"

    def log_message(self, *args):
        return

    def do_DELETE(self):
        SESSIONS.discard(self.headers.get("Mcp-Session-Id"))
        self.answer(200)

    def do_GET(self):
        if self.mode != "list_changed":
            return self.answer(405)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.chunk(": open\n\n")
        STREAMS.append(self)
        while True:
            time.sleep(0.2)
            self.chunk(": still here\n\n")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        mode, method = self.mode, body.get("method")
        if mode.startswith("status_"):
            return self.status(int(mode[7:]))
        if mode == "html":
            return self.answer(200, "<html><body>Sign in to the guest network</body></html>", "text/html")
        if mode == "slow_connect":
            time.sleep(60)
        if mode == "redirect_away":
            return self.answer(307, headers={"Location": "http://localhost:9/mcp"})
        if mode == "redirect_home" and self.path == "/mcp":
            return self.answer(307, headers={"Location": "/mcp/"})
        if "id" not in body:
            return self.answer(202)
        if method == "initialize":
            return self.initialize(body)
        if method == "server/discover":
            return self.error(body, -32601, "Method not found")
        if self.headers.get("Mcp-Session-Id") not in SESSIONS:
            return self.answer(
                404,
                json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}),
                "application/json",
            )
        if method == "tools/list":
            return self.result(
                body,
                {"tools": [{"name": name, "description": "does it", "inputSchema": OBJECT} for name in ["t", *LATE]]},
            )
        if method == "tools/call":
            return self.call(body)
        return self.error(body, -32601, "Method not found")

    def initialize(self, body):
        session = uuid.uuid4().hex
        SESSIONS.add(session)
        self.result(
            body,
            {
                "protocolVersion": body["params"]["protocolVersion"],
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "http-fault", "version": "1"},
            },
            {"Mcp-Session-Id": session},
        )

    def call(self, body):
        mode = self.mode
        CALLS.append(body)
        if mode.startswith(("call_4", "call_5")):
            return self.status(int(mode[5:]))
        if mode == "call_html":
            return self.answer(200, "<html>a proxy speaks</html>", "text/html")
        if mode == "accepted":
            return self.answer(202)
        if mode == "drop":
            return self.hang_up()
        if mode == "slow_headers":
            time.sleep(60)
        if mode == "cut_json":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc": "2.0", "id"')
            return self.hang_up()
        if mode == "cut_sse":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b": working\n\n")
            return self.hang_up()
        if mode == "expired_session" and len(CALLS) == 1:
            SESSIONS.clear()
            return self.answer(404)
        if mode == "list_changed":
            LATE.append("late")
            note = json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            for stream in STREAMS:
                stream.chunk(f"event: message\ndata: {note}\n\n")
        if mode == "big_event":
            text = json.dumps(
                {"jsonrpc": "2.0", "id": body["id"], "result": {"content": [{"type": "text", "text": "x" * (4 << 20)}]}}
            )
            return self.answer(200, f"event: message\ndata: {text}\n\n", "text/event-stream")
        return self.result(body, {"content": [{"type": "text", "text": "useful"}]})

    def status(self, code):
        headers = {
            401: {"WWW-Authenticate": 'Bearer resource_metadata="http://127.0.0.1:9/.well-known"'},
            429: {"Retry-After": "7"},
        }.get(code, {})
        self.answer(code, "" if code == 503 else f"no luck: {code}", headers=headers)

    def result(self, body, result, headers=None):
        self.answer(
            200, json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": result}), "application/json", headers
        )

    def error(self, body, code, message):
        text = json.dumps({"jsonrpc": "2.0", "id": body["id"], "error": {"code": code, "message": message}})
        self.answer(200, text, "application/json")

    def answer(self, status, text="", kind="text/plain", headers=None):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def chunk(self, text):
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def hang_up(self):
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(2)


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        return


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{name:22}{what}" for name, what in MODES.items()))
    elif sys.argv[1] not in MODES:
        sys.exit(f"unknown mode: {sys.argv[1]}")
    else:
        Handler.mode = sys.argv[1]
        server = QuietServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()

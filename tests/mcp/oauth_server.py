"""An MCP server behind an authorization server of its own, in a thread: enough of OAuth 2.1 for a login to be real."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class OAuthServer(ThreadingHTTPServer):
    """`lifetime` is that of a token in seconds; `grants` counts what tokens were given for."""

    daemon_threads = True

    def __init__(self, lifetime: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lifetime = lifetime
        self.valid: set[str] = set()
        self.grants: list[str] = []
        self.page = ""
        self.registered = 0
        self.good_clients: set[str] = set()
        """Clients whose secret has not expired."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: OAuthServer

    def log_message(self, *args: object) -> None:
        return

    def do_GET(self) -> None:
        origin, url = self.server.origin, urlsplit(self.path)
        if url.path.startswith("/.well-known/oauth-protected-resource"):
            return self.send({"resource": f"{origin}/mcp", "authorization_servers": [origin]})
        if url.path == "/.well-known/oauth-authorization-server":
            return self.send(
                {
                    "issuer": origin,
                    "authorization_endpoint": self.server.page or f"{origin}/authorize",
                    "token_endpoint": f"{origin}/token",
                    "registration_endpoint": f"{origin}/register",
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                }
            )
        if url.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            return self.send({}, 302, Location=f"{query['redirect_uri']}?code=good&state={query['state']}")
        return self.send({}, 405 if url.path == "/mcp" else 404)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/register":
            return self.register(json.loads(data))
        if self.path == "/token" and self.client_of(data) not in self.server.good_clients:
            return self.send({"error": "invalid_client"}, 401)
        if self.path == "/token":
            return self.token(parse_qs(data.decode())["grant_type"][0])
        if self.headers.get("Authorization", "").removeprefix("Bearer ") not in self.server.valid:
            return self.send({}, 401, **{"WWW-Authenticate": "Bearer"})
        return self.rpc(json.loads(data))

    def register(self, metadata: dict[str, Any]) -> None:
        self.server.registered += 1
        name = f"client-{self.server.registered}"
        self.server.good_clients.add(name)
        secret = {"client_id": name, "client_secret": "s", "client_secret_expires_at": int(time.time()) + 3600}
        self.send({**metadata, **secret}, 201)

    def client_of(self, form: bytes) -> str:
        basic = self.headers.get("Authorization", "").removeprefix("Basic ")
        if basic:
            return base64.b64decode(basic).decode().partition(":")[0]
        return parse_qs(form.decode()).get("client_id", [""])[0]

    def token(self, grant: str) -> None:
        self.server.grants.append(grant)
        token = f"token-{len(self.server.grants)}"
        self.server.valid = {token}
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": self.server.lifetime}
        self.send({**answer, "refresh_token": "refresh"})

    def rpc(self, body: dict[str, Any]) -> None:
        method = body.get("method")
        if "id" not in body:
            return self.send({}, 202)
        tool = {"name": "t", "inputSchema": {"type": "object"}}
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "guarded", "version": "1"},
            },
            "tools/list": {"tools": [tool]},
            "tools/call": {"content": [{"type": "text", "text": "let in"}]},
        }
        if method not in results:
            error = {"code": -32601, "message": "Method not found"}
            return self.send({"jsonrpc": "2.0", "id": body["id"], "error": error})
        return self.send({"jsonrpc": "2.0", "id": body["id"], "result": results[method]})

    def send(self, value: Any, status: int = 200, **headers: str) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def guarded(lifetime: int = 3600) -> Iterator[OAuthServer]:
    server = OAuthServer(lifetime)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

"""An identity provider for tests: publishes its keys over HTTP on this machine, and signs what it is asked to."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "https://mcp.example.com/mcp"


class Provider:
    """`fetches` counts how often its keys were asked for. `up` is False while it is away."""

    def __init__(self) -> None:
        self.keys: dict[str, PrivateKeyTypes] = {"one": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
        self.fetches = 0
        self.up = True
        self.issuer = ""

    def rotate(self, kid: str) -> None:
        self.keys = {kid: ec.generate_private_key(ec.SECP256R1())}

    def document(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"}
        if path != "/keys":
            return None
        self.fetches += 1
        return {"keys": [self._public(kid, key) for kid, key in self.keys.items()]}

    def public_pem(self, kid: str = "one") -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key: Any = self.keys[kid]
        return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def token(self, kid: str = "one", key: Any = None, algorithm: str | None = None, **claims: Any) -> str:
        now = int(time.time())
        body = {"iss": self.issuer, "aud": AUDIENCE, "sub": "alice", "iat": now, "exp": now + 600, **claims}
        body = {name: value for name, value in body.items() if value is not None}
        signing: Any = key or self.keys[kid]
        usual = "RS256" if isinstance(signing, rsa.RSAPrivateKey) else "ES256"
        return jwt.encode(body, signing, algorithm or usual, headers={"kid": kid})

    def _public(self, kid: str, key: PrivateKeyTypes) -> dict[str, Any]:
        algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
        private: Any = key
        return {**json.loads(algorithm.to_jwk(private.public_key())), "kid": kid, "use": "sig"}


def unsigned(claims: dict[str, Any], header: dict[str, Any]) -> str:
    """A token as an attacker writes it."""
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims))
    return ".".join([*parts, ""])


@contextmanager
def running_provider() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = provider.document(self.path) if provider.up else None
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()

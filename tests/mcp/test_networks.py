"""Servers over the network: TLS with certificates of the entry's own, proxies of the environment, the old HTTP+SSE."""

import datetime
import ipaddress
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.mcp.running import PATIENCE, call, running

from mewcode.mcp import ServerDefinition, TlsFiles
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio
MODERN_SERVER = Path(__file__).parent / "modern_server.py"
SERVERS = Path(os.environ.get("MEWCODE_TEST_SERVERS") or Path(__file__).parents[2] / ".cache" / "servers")
OLD_SSE_SERVER = """
import socket, uvicorn
from mcp.server.fastmcp import FastMCP

server = FastMCP("old")

@server.tool()
def shout(text: str) -> str:
    return text.upper()

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(server.sse_app(), log_level="warning")).run([listener])
"""


@contextmanager
def listening(command: Sequence[str | Path]) -> Iterator[int]:
    """A server process that prints the port it listens on as its first line."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def at(url: str, **more: object) -> ServerDefinition:
    return ServerDefinition("n", url=url, **{"connect_timeout": PATIENCE, "timeout": PATIENCE, **more})  # type: ignore[arg-type]


async def test_an_old_server_over_http_and_sse_lists_and_answers() -> None:
    python = SERVERS / "old" / "bin" / "python"
    if not python.exists():
        pytest.skip("the SDK 1.x is not installed; run tests/servers/install.sh")
    with listening([python, "-c", OLD_SSE_SERVER]) as port:
        async with running(at(f"http://127.0.0.1:{port}/sse", sse=True)) as manager:
            assert manager.servers["n"].source.state is ServerState.READY, manager.servers["n"].source.error
            assert manager.servers["n"].source.era == "legacy"
            assert (await call(manager, "n", "shout", text="old")).text == "OLD"


@dataclass(frozen=True)
class Certificates:
    """Paths of PEM files: an authority, and a certificate for 127.0.0.1 with its key, which also serves a client."""

    ca: str
    cert: str
    key: str


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    authority, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test authority")])
    ca = _certificate(name, authority.public_key(), name, authority, ca=True)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    cert = _certificate(subject, own.public_key(), name, authority, ca=False)
    files = Certificates(*(str(tmp_path / name) for name in ("ca.pem", "cert.pem", "key.pem")))
    Path(files.ca).write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    Path(files.cert).write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    Path(files.key).write_bytes(own.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return files


def _certificate(
    subject: x509.Name,
    key: ec.EllipticCurvePublicKey,
    issuer: x509.Name,
    signer: ec.EllipticCurvePrivateKey,
    *,
    ca: bool,
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.timezone.utc)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = (
        x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    return (builder if ca else builder.add_extension(names, critical=False)).sign(signer, hashes.SHA256())


async def test_a_server_with_a_private_authority_wants_a_client_certificate(certificates: Certificates) -> None:
    files = (certificates.ca, certificates.cert, certificates.key)
    with listening([sys.executable, MODERN_SERVER, "https", *files]) as port:
        url = f"https://127.0.0.1:{port}/mcp"
        async with running(at(url, tls=TlsFiles(*files))) as manager:
            assert manager.servers["n"].source.state is ServerState.READY, manager.servers["n"].source.error
            assert (await call(manager, "n", "t")).text == "useful"
        async with running(at(url)) as manager:
            assert manager.servers["n"].source.state is not ServerState.READY
            assert "certificate" in (manager.servers["n"].source.error or "").lower()
        async with running(at(url, tls=TlsFiles(ca=certificates.ca))) as manager:
            assert manager.servers["n"].source.state is not ServerState.READY


async def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.pem")
    async with running(at("https://127.0.0.1:9/mcp", tls=TlsFiles(ca=missing))) as manager:
        assert manager.servers["n"].source.state is ServerState.FAILED
        assert missing in (manager.servers["n"].source.error or "")


class Proxy:
    """A forward proxy for plain HTTP: notes the first line of each connection and passes everything on."""

    def __init__(self, target: int) -> None:
        self.asked: list[str] = []
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            threading.Thread(target=self._pass_on, args=(server, client), daemon=True).start()
            self._pass_on(client, server, note=True)

    def _pass_on(self, source: socket.socket, sink: socket.socket, *, note: bool = False) -> None:
        try:
            while chunk := source.recv(65_536):
                first, _, rest = chunk.partition(b"\r\n")
                if note and first.endswith(b" HTTP/1.1"):
                    self.asked.append(first.decode())
                    # The address of the server is for the proxy; the server gets the path.
                    chunk = first.replace(f"http://127.0.0.1:{self._target}".encode(), b"") + b"\r\n" + rest
                sink.sendall(chunk)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return


async def test_the_proxy_of_the_environment_is_used_and_its_exceptions_are_not_sent_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with listening([sys.executable, MODERN_SERVER, "http"]) as port:
        proxy = Proxy(port)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        url = f"http://127.0.0.1:{port}/mcp"
        async with running(at(url)) as manager:
            assert (await call(manager, "n", "t")).text == "useful"
        assert any(line.startswith(f"POST {url} ") for line in proxy.asked)
        proxy.asked.clear()
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with running(at(url)) as manager:
            assert (await call(manager, "n", "t")).text == "useful"
        assert not proxy.asked
        proxy.close()

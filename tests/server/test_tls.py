"""TLS by certificate files: spoken with whoever trusts them, renewed without a restart, refused where wrong."""

import signal
import ssl
import subprocess
import sys
from pathlib import Path

import anyio
import httpx2
import pytest
from cryptography import x509
from tests.server.certificates import write_certificate
from tests.server.clients import PATIENCE, Served, environment, serving

pytestmark = pytest.mark.anyio


def subject_of(served: Served) -> str:
    """Who the server says it is."""
    host, port = served.base.removeprefix("https://").split(":")
    shown = x509.load_pem_x509_certificate(ssl.get_server_certificate((host, int(port))).encode())
    return shown.subject.rfc4514_string()


async def test_a_certificate_is_used_and_renewed_at_sighup(workspace: Path, tmp_path: Path) -> None:
    write_certificate(tmp_path, "first")
    files = ("--tls-cert", str(tmp_path / "cert.pem"), "--tls-key", str(tmp_path / "key.pem"))
    with serving(workspace, "--no-auth", *files) as served:
        assert served.url.startswith("https://")
        trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        async with httpx2.AsyncClient(verify=trusting, timeout=PATIENCE, trust_env=False) as client:
            assert (await client.get(f"{served.base}/healthz")).status_code == 200
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
            with pytest.raises(httpx2.ConnectError):
                await client.get(f"{served.base}/healthz")
        assert await anyio.to_thread.run_sync(subject_of, served) == "CN=first"
        write_certificate(tmp_path, "second")
        served.process.send_signal(signal.SIGHUP)
        with anyio.fail_after(PATIENCE):
            while await anyio.to_thread.run_sync(subject_of, served) != "CN=second":
                await anyio.sleep(0.1)


def test_a_key_of_another_certificate_is_refused_at_the_start(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write_certificate(tmp_path, "one")
    write_certificate(tmp_path / "other", "two")
    files = ("--tls-cert", str(tmp_path / "cert.pem"), "--tls-key", str(tmp_path / "other" / "key.pem"))
    command = [sys.executable, "-m", "mewcode", "serve", "--http", "127.0.0.1:0", "--no-auth", *files]
    ended = subprocess.run(
        command, cwd=workspace, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == 2
    assert "cert.pem" in ended.stderr

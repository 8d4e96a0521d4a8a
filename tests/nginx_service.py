"""A real nginx for tests, on the loopback, with the configuration that `deploy/` ships."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.services import free_port, wait_for_port

SHIPPED = Path(__file__).parents[1] / "deploy" / "nginx.conf"
_UPSTREAM = "server mewcode:8080 max_fails=1 fail_timeout=5s;"
_LISTEN = "listen 8080;"


def nginx_binary() -> str:
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or pytest.skip("nginx is not installed")


@contextmanager
def nginx(folder: Path, ports: Sequence[int]) -> Iterator[str]:
    """A balancer before servers on these ports of the loopback interface; gives its base URL."""
    binary, port = nginx_binary(), free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(adapted(SHIPPED.read_text(), folder, port, ports))
    main = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;"
    process = subprocess.Popen(
        [binary, "-p", str(folder), "-c", str(configuration), "-g", main],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_port(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def adapted(shipped: str, folder: Path, port: int, ports: Sequence[int]) -> str:
    """The shipped configuration with a test's own addresses and folders, and nothing else changed."""
    assert _UPSTREAM in shipped
    assert _LISTEN in shipped
    servers = "\n".join(_UPSTREAM.replace("mewcode:8080", f"127.0.0.1:{one}") for one in ports)
    own = [f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    placed = shipped.replace(_UPSTREAM, servers).replace(_LISTEN, f"listen 127.0.0.1:{port};")
    return placed.replace("http {", "\n".join(["http {", "access_log off;", *own]), 1)

"""Language model servers on this machine: Ollama, LM Studio and llama-server, found by asking their ports."""

import http.client
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from mewcode.models.catalogue import KNOWN_PROVIDERS, KnownProvider

if TYPE_CHECKING:
    from concurrent.futures import Future

PROBE_SECONDS = 0.2
"""All servers together: a port nobody listens on refuses at once, so that this is only spent on a hung one."""

_LARGEST_LIST = 1 << 20


@dataclass(frozen=True)
class LocalServer:
    """A server that answered, with the models that it offers (never an embedding model)."""

    provider: str
    base_url: str
    models: tuple[str, ...]


def find_local_servers(environ: Mapping[str, str], deadline: float = PROBE_SECONDS) -> tuple[LocalServer, ...]:
    """The servers that answer within `deadline` seconds, in the catalogue's order. Never raises."""
    candidates = [(known, local_address(known, environ)) for known in KNOWN_PROVIDERS if is_local(known)]
    return _in_parallel((lambda k=known, u=url: probe(k.name, u, deadline) for known, url in candidates), deadline)


def probe(provider: str, base_url: str, deadline: float = PROBE_SECONDS) -> LocalServer | None:
    """Asks `base_url`/models; None when nobody answers, or not as a model server would."""
    address = urlsplit(base_url)
    if address.scheme != "http":
        return None
    try:
        connection = http.client.HTTPConnection(address.hostname or "127.0.0.1", address.port, timeout=deadline)
        connection.request("GET", f"{address.path.rstrip('/')}/models")
        response = connection.getresponse()
        listing = json.loads(response.read(_LARGEST_LIST)) if response.status == http.client.OK else None
        connection.close()
    except (OSError, ValueError, http.client.HTTPException):
        return None
    return LocalServer(provider, base_url, names) if (names := _names(listing)) else None


def is_local(known: KnownProvider) -> bool:
    return known.wire == "openai" and not known.needs_key


def local_address(known: KnownProvider, environ: Mapping[str, str]) -> str:
    """The base URL of a local server: OLLAMA_HOST may be a bare "host:port", and 0.0.0.0 means this machine."""
    given = next((environ[key] for key in known.address_keys if environ.get(key)), None)
    if given is None:
        return known.base_url or ""
    url = given if "://" in given else f"http://{given}"
    url = url.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")
    address = urlsplit(url)
    if address.port is None and address.scheme == "http":
        url = url.replace(address.netloc, f"{address.netloc}:{urlsplit(known.base_url or '').port}", 1)
    return url if address.path.strip("/") else f"{url}/v1"


def _in_parallel(probes: Iterable[Callable[[], LocalServer | None]], deadline: float) -> tuple[LocalServer, ...]:
    pool = ThreadPoolExecutor(thread_name_prefix="probe")
    try:
        futures: list[Future[LocalServer | None]] = [pool.submit(ask) for ask in probes]
        done, _ = wait(futures, timeout=deadline)
        answers = [future.result() for future in futures if future in done]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return tuple(answer for answer in answers if answer is not None)


def _names(listing: Any) -> tuple[str, ...]:
    if not isinstance(listing, dict):
        return ()
    entries = cast("dict[str, Any]", listing).get("data")
    if not isinstance(entries, list):
        return ()
    names = [cast("dict[str, Any]", entry).get("id") for entry in cast("list[Any]", entries) if isinstance(entry, dict)]
    return tuple(name for name in names if isinstance(name, str) and name and "embed" not in name.casefold())

"""The official download of the weights: resumable, checked, never unasked."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.errors import ModelError
from mewcode.models.local.known_weights import Weights
from mewcode.models.local.verification import Progress, forget, hash_of, no_progress, remember
from mewcode.models.local.wheels import require_space, storage_error

if TYPE_CHECKING:
    import httpx2

ATTEMPTS = 5
"""Connections in a row that may bring nothing new before the download gives up."""

_OK, _PARTIAL, _BAD_RANGE = 200, 206, 416
_CONNECT_SECONDS, _READ_SECONDS = 15.0, 60.0


def download(weights: Weights, target: Path, url: str, progress: Progress = no_progress) -> None:
    """Fetches `url` into `target`, which appears only once its SHA-256 is right.

    A part that is already there is continued, also after a restart; a server that knows no ranges starts over.
    Raises ModelError: no connection, cut off (run again to go on), wrong file, disk full.
    """
    partial = target.with_name(f".{target.name}.partial")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _only_one(partial):
            _fetch(weights, partial, url, progress)
            _accept(weights, partial, target, url)
    except OSError as error:
        # What is there so far would leave the disk full.
        partial.unlink(missing_ok=True)
        raise storage_error(error, target.parent, weights) from error


def _fetch(weights: Weights, partial: Path, url: str, progress: Progress) -> None:
    import httpx2

    failures = 0
    timeout = httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)
    client = httpx2.Client(follow_redirects=True, timeout=timeout, headers={"accept-encoding": "identity"})
    with client:
        while (have := _size(partial)) < weights.bytes:
            require_space(partial.parent, weights, weights.bytes - have)
            try:
                _fetch_rest(client, weights, partial, url, progress)
                problem = "the connection was cut"
            except httpx2.HTTPError as error:
                problem = str(error) or type(error).__name__
            now = _size(partial)
            failures = 0 if now > have else failures + 1
            if now < weights.bytes and failures >= ATTEMPTS:
                raise ModelError(
                    "models.weights_cut",
                    name=weights.name,
                    url=url,
                    detail=problem,
                    done=f"{now / 1e6:.0f}",
                    total=f"{weights.bytes / 1e6:.0f}",
                )


def _fetch_rest(client: "httpx2.Client", weights: Weights, partial: Path, url: str, progress: Progress) -> None:
    """One connection: appends what comes, at most up to the size that the file has."""
    have = _size(partial)
    headers = {"range": f"bytes={have}-"} if have else {}
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == _BAD_RANGE:
            partial.unlink(missing_ok=True)
            return
        if response.status_code not in {_OK, _PARTIAL}:
            raise ModelError("models.weights_refused", name=weights.name, url=url, status=response.status_code)
        goes_on = response.status_code == _PARTIAL and _starts_at(response, have)
        offset = have if goes_on else 0
        length = response.headers.get("content-length", "")
        if length.isdigit() and offset + int(length) != weights.bytes:
            raise ModelError("models.weights_other_file", name=weights.name, url=url, size=offset + int(length))
        with partial.open("ab" if goes_on else "wb") as out:
            for block in response.iter_raw():  # as it comes, so that a cut loses nothing
                out.write(block[: weights.bytes - offset])
                offset = min(offset + len(block), weights.bytes)
                progress(offset, weights.bytes)
                if offset == weights.bytes:
                    break


def _accept(weights: Weights, partial: Path, target: Path, url: str) -> None:
    if hash_of(partial) != weights.sha256:
        partial.unlink()
        raise ModelError("models.weights_hash", name=weights.name, place=url)
    forget(target)
    partial.replace(target)
    remember(target, weights.sha256)


def _starts_at(response: "httpx2.Response", offset: int) -> bool:
    return response.headers.get("content-range", "").startswith(f"bytes {offset}-")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def _only_one(partial: Path) -> Generator[None, None, None]:
    """Two downloads at once would mix their bytes. Released by the system when the process dies."""
    if os.name == "nt":
        yield
        return
    import fcntl

    lock = partial.with_name(f"{partial.name}.lock")
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ModelError("models.weights_busy", place=partial.parent) from error
        yield

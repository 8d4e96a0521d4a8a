"""URL patterns: matched part by part, so that a star in a host never reaches into a path."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from mewcode.governance.rules.wildcard import Wildcard

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


@dataclass(frozen=True)
class _Parts:
    scheme: str
    user: str
    host: str
    port: int | None
    rest: str


def url_allows(pattern: str, url: str) -> bool:
    """Whether a URL fits a pattern in every part. A URL with a user name in it, or that cannot be read, never does."""
    if Wildcard(pattern).matches_everything:
        return True
    wanted, given = _parts(pattern), _parts(url)
    if wanted is None or given is None or given.user:
        return False
    same_port = given.port == wanted.port
    same_place = Wildcard(wanted.scheme).matches(given.scheme) and Wildcard(wanted.host).matches(given.host)
    return same_port and same_place and Wildcard(wanted.rest).matches(given.rest)


def url_tightens(pattern: str, url: str) -> bool:
    """Whether a URL fits in any reading: part by part, or as text, percent-encoded or not."""
    if any(Wildcard(pattern).matches_loosely(text) for text in (url, unquote(url))):
        return True
    wanted, given = _parts(pattern), _parts(url)
    if wanted is None or given is None:
        return False
    rests = (given.rest, unquote(given.rest))
    same_place = Wildcard(wanted.scheme).matches(given.scheme) and Wildcard(wanted.host).matches_loosely(given.host)
    return same_place and any(Wildcard(wanted.rest).matches_loosely(rest) for rest in rests)


def _parts(url: str) -> _Parts | None:
    """The parts of a URL or of a pattern for one; None where it cannot be read."""
    if any(ord(character) < 33 or character == "\\" for character in url):
        return None
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError:
        return None
    scheme = split.scheme.lower()
    host = (split.hostname or "").rstrip(".")
    rest = split.path + (f"?{split.query}" if split.query else "")
    if ".." in unquote(split.path).split("/"):
        return None
    user = split.netloc.rpartition("@")[0]
    return _Parts(scheme, user, host, _DEFAULT_PORTS.get(scheme) if port is None else port, rest or "/")

"""Resources of MCP servers: listing, templates, reading, subscriptions, and `@server:uri` in a prompt."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mewcode.calls import EmbeddedResource, Round
from mewcode.mcp.clean import clean
from mewcode.mcp.connection import Connection
from mewcode.mcp.errors import RpcError
from mewcode.mcp.listing import Fetch, all_entries
from mewcode.mcp.results import resource
from mewcode.mcp.shapes import as_list, as_object, as_text

if TYPE_CHECKING:
    from mewcode.mcp.session import Session

_METHOD_NOT_FOUND = -32601


@dataclass(frozen=True)
class ResourceInfo:
    """What a server says about a resource. For a template `uri` has places to fill in, as in RFC 6570."""

    server: str
    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    media_type: str | None = None
    size: int | None = None
    """Bytes, where the server knows."""
    template: bool = False


async def list_resources(connection: Connection, timeout: float) -> list[ResourceInfo]:
    """All resources and templates of one server; none for a server that has no such thing. `timeout` in seconds.

    Raises RpcError, TimedOutError or ServerGoneError, as all of this module does.
    """

    async def ask(session: "Session") -> list[ResourceInfo]:
        fixed = await _entries(session.list_resources, "resources", "uri", connection)
        patterns = await _entries(session.list_templates, "resourceTemplates", "uriTemplate", connection)
        server = connection.definition.name
        return [_info(server, entry, "uri") for entry in fixed] + [
            _info(server, entry, "uriTemplate") for entry in patterns
        ]

    return await connection.read(ask, timeout)


async def read_resource(connection: Connection, uri: str, timeout: float) -> tuple[EmbeddedResource, ...]:
    """The contents of a resource: more than one where it is a folder of some kind."""
    return contents_of(await read_whole(connection, uri, timeout), uri)


async def read_whole(connection: Connection, uri: str, timeout: float, asked: Round | None = None) -> Mapping[str, Any]:
    """The answer as the server sent it."""
    return await connection.read(lambda session: session.read_resource(uri, asked), timeout)


def contents_of(answer: Mapping[str, Any], uri: str) -> tuple[EmbeddedResource, ...]:
    return tuple(resource({"uri": uri, **as_object(entry)}) for entry in as_list(answer.get("contents")))


async def subscribe(connection: Connection, uri: str, timeout: float) -> None:
    """Hears of changes (`Observer.resource_updated`) until `unsubscribe`, also after a reconnection."""
    connection.subscriptions.add(uri)
    session = await connection.ready(timeout)
    if session.era == "legacy":
        await session.subscribe(uri)
    else:
        connection.follow_again()


async def unsubscribe(connection: Connection, uri: str, timeout: float) -> None:
    connection.subscriptions.discard(uri)
    session = await connection.ready(timeout)
    if session.era == "legacy":
        await session.subscribe(uri, end=True)
    else:
        connection.follow_again()


def mentions(text: str, servers: Collection[str]) -> list[tuple[str, str]]:
    """The pairs (server, uri) that a prompt mentions as `@server:uri`. Punctuation at the end is the sentence's."""
    found = re.findall(r"(?<![\w@])@([A-Za-z0-9_.-]+):([^\s<>\"']+)", text)
    return [(server, uri.rstrip(".,;!?)")) for server, uri in found if server in servers]


async def _entries(fetch: Fetch, key: str, identity: str, connection: Connection) -> list[dict[str, Any]]:
    try:
        return await all_entries(fetch, key, identity, connection.voice.noise)
    except RpcError as error:
        if error.code == _METHOD_NOT_FOUND:
            return []
        raise


def _info(server: str, entry: Mapping[str, Any], identity: str) -> ResourceInfo:
    size = entry.get("size")
    return ResourceInfo(
        server=server,
        uri=entry[identity],
        name=clean(as_text(entry.get("name")) or entry[identity]),
        title=_cleaned(entry, "title"),
        description=_cleaned(entry, "description"),
        media_type=_cleaned(entry, "mimeType"),
        size=size if isinstance(size, int) else None,
        template=identity == "uriTemplate",
    )


def _cleaned(entry: Mapping[str, Any], key: str) -> str | None:
    text = as_text(entry.get(key))
    return clean(text)[:1000] if text else None

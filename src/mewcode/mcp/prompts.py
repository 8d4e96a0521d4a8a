"""Prompts of MCP servers: `/mcp:server:prompt` for people, `get_prompt` for the model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mewcode.calls import Content, Round
from mewcode.mcp.clean import clean
from mewcode.mcp.connection import Connection
from mewcode.mcp.errors import RpcError
from mewcode.mcp.listing import all_entries
from mewcode.mcp.results import blocks
from mewcode.mcp.shapes import as_list, as_object, as_text

_METHOD_NOT_FOUND = -32601


@dataclass(frozen=True)
class PromptArgument:
    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True)
class PromptInfo:
    server: str
    name: str
    title: str | None = None
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


@dataclass(frozen=True)
class PromptMessage:
    role: Literal["user", "assistant"]
    content: tuple[Content, ...]


async def list_prompts(connection: Connection, timeout: float) -> list[PromptInfo]:
    """All prompts of one server; none for a server that has no such thing. `timeout` in seconds.

    Raises RpcError, TimedOutError or ServerGoneError, as all of this module does.
    """
    try:
        found = await connection.read(
            lambda session: all_entries(session.list_prompts, "prompts", "name", connection.voice.noise), timeout
        )
    except RpcError as error:
        if error.code == _METHOD_NOT_FOUND:
            return []
        raise
    return [_info(connection.definition.name, entry) for entry in found]


async def get_prompt(
    connection: Connection, name: str, arguments: Mapping[str, str], timeout: float
) -> tuple[PromptMessage, ...]:
    """The prompt with its arguments filled in by the server."""
    return messages_of(await get_whole(connection, name, arguments, timeout))


async def get_whole(
    connection: Connection, name: str, arguments: Mapping[str, str], timeout: float, asked: Round | None = None
) -> Mapping[str, Any]:
    """The answer as the server sent it."""
    return await connection.read(lambda session: session.get_prompt(name, arguments, asked), timeout)


def messages_of(answer: Mapping[str, Any]) -> tuple[PromptMessage, ...]:
    return tuple(_message(as_object(message)) for message in as_list(answer.get("messages")))


async def complete(
    connection: Connection,
    reference: Mapping[str, str],
    argument: str,
    value: str,
    known: Mapping[str, str],
    timeout: float,
) -> list[str]:
    """What an argument of a prompt (`{"name": …}`) or a template (`{"uri": …}`) may be, given its beginning and the
    arguments that are `known`."""
    try:
        answer = await connection.read(lambda session: session.complete(reference, argument, value, known), timeout)
    except RpcError as error:
        if error.code == _METHOD_NOT_FOUND:
            return []
        raise
    values = as_list(as_object(answer.get("completion")).get("values"))
    return [clean(text) for text in values if isinstance(text, str)]


def _info(server: str, entry: Mapping[str, Any]) -> PromptInfo:
    return PromptInfo(
        server=server,
        name=entry["name"],
        title=as_text(entry.get("title")),
        description=clean(as_text(entry.get("description")) or "")[:1000],
        arguments=tuple(
            PromptArgument(
                argument["name"], clean(as_text(argument.get("description")) or ""), bool(argument.get("required"))
            )
            for argument in map(as_object, as_list(entry.get("arguments")))
            if isinstance(argument.get("name"), str)
        ),
    )


def _message(message: Mapping[str, Any]) -> PromptMessage:
    content = message.get("content")
    inside: Any = content if isinstance(content, str) else as_list(content) or [content]
    role: Literal["user", "assistant"] = "assistant" if message.get("role") == "assistant" else "user"
    return PromptMessage(role, tuple(blocks(inside)))

"""From the gate's result to MCP's: upstream results whole, our own as a model should read them."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, cast

import mcp_types as t
from pydantic import ValidationError

from mewcode.agent.render import render_for_model
from mewcode.calls import Audio, Content, EmbeddedResource, Image, ResourceLink, Text, ToolResult

ERROR = "mewcode/error"
"""In `_meta` of a result: why the gate or a server gave no better one."""

_OF_THIS_HOP = "io.modelcontextprotocol/"

Fence = Callable[[str, ToolResult], str]
Save = Callable[[str], str | None]


def upstream_result(result: ToolResult) -> t.CallToolResult:
    """As the server sent it, with our label beside its own `_meta`."""
    if result.wire is not None:
        wire = passed_on(result.wire)
        try:
            return t.CallToolResult.model_validate(
                {**wire, "_meta": {**wire["_meta"], **_notes(result)}}, by_name=False
            )
        except ValidationError:
            pass  # a block of a kind that MCP does not know: what could be read of it goes on
    return t.CallToolResult(
        content=[_block(block) for block in result.content],
        structured_content=result.structured,
        is_error=result.is_error,
        _meta=_notes(result),
    )


def own_result(result: ToolResult, fence: Fence, save: Save, characters: int) -> t.CallToolResult:
    """Cut to `characters`, fenced, with its images."""
    shown = render_for_model(result, fence=fence, save=save, characters=characters)
    images: list[t.ContentBlock] = [_block(image) for image in shown.images]
    structured: Any = result.structured
    text = shown.text.removeprefix("[error] ") if result.is_error else shown.text
    return t.CallToolResult(
        content=[t.TextContent(text=text), *images],
        structured_content=structured if isinstance(structured, dict) else None,
        is_error=result.is_error,
        _meta=_notes(result),
    )


def _notes(result: ToolResult) -> dict[str, Any]:
    """What MewCode says about a result: its label, and the kind of its error."""
    notes = dict(result.meta)
    if result.error is not None:
        error = result.error
        facts = {"kind": error.kind.value, "server": error.server, "retryAfter": error.retry_after}
        notes[ERROR] = {key: value for key, value in facts.items() if value is not None}
    return notes


def passed_on(wire: Mapping[str, Any]) -> dict[str, Any]:
    """A server's answer without what holds between it and us alone, as the server's name."""
    meta = wire.get("_meta")
    found: Mapping[str, Any] = cast("Mapping[str, Any]", meta) if isinstance(meta, Mapping) else {}
    return {**wire, "_meta": {key: value for key, value in found.items() if not key.startswith(_OF_THIS_HOP)}}


def _block(block: Content) -> t.ContentBlock:
    match block:
        case Text(text):
            return t.TextContent(text=text)
        case Image(data, media_type):
            return t.ImageContent(data=_encoded(data), mime_type=media_type)
        case Audio(data, media_type):
            return t.AudioContent(data=_encoded(data), mime_type=media_type)
        case ResourceLink(uri, name, title, description, media_type):
            return t.ResourceLink(uri=uri, name=name, title=title, description=description, mime_type=media_type)
        case EmbeddedResource(uri, text, data, media_type):
            if text is not None:
                return t.EmbeddedResource(resource=t.TextResourceContents(uri=uri, text=text, mime_type=media_type))
            blob = t.BlobResourceContents(uri=uri, blob=_encoded(data or b""), mime_type=media_type)
            return t.EmbeddedResource(resource=blob)


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")

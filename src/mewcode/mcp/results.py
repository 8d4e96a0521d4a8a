"""From what a server answered to a ToolResult. Whatever is odd is shown or marked; nothing useful is lost."""

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from typing import Any

from mewcode.calls import (
    Audio,
    CallError,
    Content,
    EmbeddedResource,
    ErrorKind,
    Image,
    Origin,
    ResourceLink,
    Text,
    ToolResult,
    Trust,
)
from mewcode.mcp.clean import clean
from mewcode.mcp.shapes import as_list, as_object

_SHOWN = 2_000
"""Characters shown of a block whose kind is unknown."""


def tool_result(answer: Mapping[str, Any], server: str, tool: str) -> ToolResult:
    """The whole result, with `answer` kept as it came for passing on. Its `_meta` is for machines, not for models."""
    structured = answer.get("structuredContent")
    content = tuple(blocks(answer.get("content")))
    if not content:
        content = (Text(_as_json(structured) if structured is not None else "(the tool returned no content)"),)
    failed = answer.get("isError") is True
    text = "\n".join(block.text for block in content if isinstance(block, Text))
    return ToolResult(
        content=content,
        structured=structured,
        is_error=failed,
        error=CallError(ErrorKind.TOOL_ERROR, text[:500], server) if failed else None,
        origin=Origin(tool=tool, server=server),
        trust=Trust.EXTERNAL,
        wire=answer,
    )


def blocks(content: Any) -> Iterable[Content]:
    """The content blocks of a result or of a prompt's message."""
    if isinstance(content, str):
        yield Text(clean(content))
        return
    for block in as_list(content):
        yield _block(as_object(block) or {"value": block})


def resource(contents: Mapping[str, Any]) -> EmbeddedResource:
    """One entry of `contents`, or the inside of an embedded resource."""
    text = contents.get("text")
    kind = _text(contents, "mimeType")
    if isinstance(text, str):
        return EmbeddedResource(uri=_text(contents, "uri") or "", text=clean(text), media_type=kind)
    data = _bytes(contents.get("blob"))
    return EmbeddedResource(uri=_text(contents, "uri") or "", data=data or b"", media_type=kind)


def _block(block: Mapping[str, Any]) -> Content:
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return Text(clean(block["text"]))
    if kind in ("image", "audio"):
        data, media_type = _bytes(block.get("data")), _text(block, "mimeType")
        if data is not None:
            return Image(data, media_type or "image/png") if kind == "image" else Audio(data, media_type or "audio/wav")
    if kind == "resource_link" and isinstance(block.get("uri"), str):
        return ResourceLink(
            uri=clean(block["uri"]),
            name=_text(block, "name") or "",
            title=_text(block, "title"),
            description=_text(block, "description"),
            media_type=_text(block, "mimeType"),
        )
    if kind == "resource" and isinstance(block.get("resource"), Mapping):
        return resource(block["resource"])
    return Text(f"[a block of an unknown kind: {clean(_as_json(block))[:_SHOWN]}]")


def _text(block: Mapping[str, Any], key: str) -> str | None:
    value = block.get(key)
    return clean(value) if isinstance(value, str) else None


def _bytes(data: Any) -> bytes | None:
    if not isinstance(data, str):
        return None
    try:
        return base64.b64decode(data)
    except (binascii.Error, ValueError):
        return None


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

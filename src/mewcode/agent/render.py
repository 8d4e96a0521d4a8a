"""What the model gets to read of a tool's result: cut, cleaned of control characters, fenced."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from mewcode.agent.ports import Fence
from mewcode.calls import Audio, Content, EmbeddedResource, Image, ResourceLink, Text, ToolResult

DEFAULT_CHARACTERS = 25_000
HEAD_SHARE = 0.7
"""More of the beginning is kept than of the end: listings and files are read from the top, failures from the end."""

MAX_IMAGES = 8
MAX_IMAGE_BYTES = 5 * 1024 * 1024
"""What Anthropic accepts for one image; the other providers accept more."""

_SENDABLE_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Characters that reorder text or carry text that no reader sees: a known way to hide orders to a model."""

SaveWhole = Callable[[str], str | None]
"""Keeps the whole text somewhere and returns its path; None when it could not be kept."""


@dataclass(frozen=True)
class Rendered:
    text: str
    images: tuple[Image, ...] = ()


def render_for_model(
    result: ToolResult,
    *,
    fence: Fence,
    save: SaveWhole | None = None,
    characters: int = DEFAULT_CHARACTERS,
    images: bool = True,
) -> Rendered:
    """Renders `result` in at most about `characters` characters, and says where the whole of it is when it was cut.

    `images` tells whether the model can look at pictures.
    """
    shown = _images(result) if images else ()
    text = clean("\n".join(filter(None, (_as_text(block, shown) for block in result.content))))
    if not text and result.structured is not None:
        text = clean(json.dumps(result.structured, ensure_ascii=False, indent=1, default=str))
    if len(text) > characters:
        text = _cut(text, characters, _path_of_whole(result, text, save))
    text = fence(text or "(no output)", result)
    return Rendered(f"[error] {text}" if result.is_error else text, shown)


def clean(text: str) -> str:
    """Drops terminal sequences and control characters, and makes hidden ones visible as <U+....>."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("", _ESCAPE_SEQUENCE.sub("", text))
    return _HIDDEN.sub(lambda found: f"<U+{ord(found.group()):04X}>", text)


def _images(result: ToolResult) -> tuple[Image, ...]:
    sendable = [
        block
        for block in result.content
        if isinstance(block, Image) and block.media_type in _SENDABLE_IMAGES and len(block.data) <= MAX_IMAGE_BYTES
    ]
    return tuple(sendable[:MAX_IMAGES])


def _as_text(block: Content, shown: tuple[Image, ...]) -> str:
    match block:
        case Text(text):
            return text
        case Image() if any(block is image for image in shown):
            return f"[image, {block.media_type}, shown below]"
        case Image(data, media_type) | Audio(data, media_type):
            return f"[{media_type}, {len(data):,} bytes: not shown, because it cannot be passed on to you]"
        case ResourceLink(uri, name, _, description):
            return f"[resource {name}: {uri}]" + (f" {description}" if description else "")
        case EmbeddedResource(uri, text, data, media_type):
            if text is not None:
                return f"[resource {uri}]\n{text}"
            return f"[resource {uri}, {media_type or 'binary'}, {len(data or b''):,} bytes: not shown]"


def _path_of_whole(result: ToolResult, text: str, save: SaveWhole | None) -> str | None:
    if result.output_path:
        return result.output_path
    return save(text) if save else None


def _cut(text: str, characters: int, path: str | None) -> str:
    where = f"The whole is in {path}; read or search that file for the rest." if path else "The rest was not kept."
    head = _to_line_end(text[: int(characters * HEAD_SHARE)])
    tail = _from_line_start(text[-(characters - int(characters * HEAD_SHARE)) :])
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left:,} of {len(text):,} characters left out here. {where}]\n{tail}"


def _to_line_end(head: str) -> str:
    """Without a half line at the end, unless the line is most of it."""
    at = head.rfind("\n")
    return head[:at] if at > len(head) // 2 else head


def _from_line_start(tail: str) -> str:
    at = tail.find("\n")
    return tail[at + 1 :] if 0 <= at < len(tail) // 2 else tail

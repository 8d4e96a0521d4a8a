"""What a tool answered, made fit to leave the gate: redacted, labelled, capped."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import anyio.to_thread

from mewcode.calls import Content, EmbeddedResource, Question, ResourceLink, Text, ToolResult, Trust
from mewcode.governance.labels import orders_in
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.redaction import Redactor
from mewcode.governance.request import Request
from mewcode.governance.sessions import Sessions

MOST_CHARACTERS = 8 << 20
"""Characters of text that a result may keep in memory."""
MOST_BYTES = 32 << 20
"""Bytes of images, sounds and other data that a result may keep."""
_IN_A_THREAD = 1 << 18
"""Characters from which redaction goes to a thread, so that other calls go on."""
_SEARCHED_FOR_ORDERS = 1 << 20


class Shape:
    def __init__(self, redactor: Redactor, sessions: Sessions) -> None:
        self._redactor = redactor
        self._sessions = sessions

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        reply = await proceed(passage)
        if isinstance(reply, Question):
            return reply
        result = capped(reply)
        size = sum(len(block.text) for block in result.content if isinstance(block, Text))
        work = partial(redacted, result, self._redactor)
        result = await anyio.to_thread.run_sync(work) if size > _IN_A_THREAD else work()
        result = labelled(result, passage)
        await self._sessions.note(passage.call.session, result.trust, result.origin)
        return result


def capped(result: ToolResult) -> ToolResult:
    """The result with no more text and data than memory should hold; what is left out is said."""
    kept: list[Content] = []
    characters, size = MOST_CHARACTERS, MOST_BYTES
    cut = False
    for block in result.content:
        text, data = _text_of(block), _data_of(block)
        if data is not None and len(data) > size:
            kept.append(Text(f"[{len(data)} bytes of data were left out]"))
            cut = True
        elif text is not None and len(text) > characters:
            kept.append(Text(f"{text[:characters]}\n[{len(text) - characters} characters were left out]"))
            characters, cut = 0, True
        else:
            kept.append(block)
            characters -= len(text or "")
            size -= len(data or b"")
    return replace(result, content=tuple(kept), truncated=True) if cut else result


def redacted(result: ToolResult, redactor: Redactor) -> ToolResult:
    error = result.error and replace(
        result.error, message=redactor.redact(result.error.message), reply=redactor.redact_json(result.error.reply)
    )
    return replace(
        result,
        content=tuple(_redacted_block(block, redactor.redact) for block in result.content),
        structured=redactor.redact_json(result.structured),
        wire=redactor.redact_json(result.wire),
        meta=redactor.redact_json(result.meta),
        error=error,
    )


def labelled(result: ToolResult, passage: Passage) -> ToolResult:
    """The result with its origin filled in, and with no more trust than its tool can vouch for."""
    tool = passage.resolved_tool
    origin = result.origin
    if not origin.tool:
        origin = replace(origin, tool=tool.original_name, server=tool.server)
    trust = _trust(result, passage)
    if trust is Trust.OWN:
        return replace(result, origin=origin)
    phrases = orders_in(result.text[:_SEARCHED_FOR_ORDERS])
    label = {"trust": trust.value, "origin": origin.place or origin.tool, "server": origin.server}
    noted = {"orders": list(phrases)} if phrases else {}
    return replace(result, origin=origin, trust=trust, meta={**result.meta, "mewcode/label": {**label, **noted}})


def _trust(result: ToolResult, passage: Passage) -> Trust:
    """Whatever a server sent is external, and so is what a command fetched."""
    tool, call = passage.resolved_tool, passage.call
    if tool.server is not None:
        return Trust.EXTERNAL
    request = Request(tool, call.arguments, call.principal, call.scope.roots)
    return Trust.EXTERNAL if request.commands and request.hosts else result.trust


def _redacted_block(block: Content, redact: Callable[[str], str]) -> Content:
    if isinstance(block, Text):
        return Text(redact(block.text))
    if isinstance(block, EmbeddedResource) and block.text is not None:
        return replace(block, text=redact(block.text), uri=redact(block.uri))
    if isinstance(block, ResourceLink):
        return replace(block, uri=redact(block.uri), description=block.description and redact(block.description))
    return block


def _text_of(block: Content) -> str | None:
    return block.text if isinstance(block, (Text, EmbeddedResource)) else None


def _data_of(block: Content) -> bytes | None:
    return None if isinstance(block, (Text, ResourceLink)) else block.data

"""Replacing a part of a file."""

import anyio.to_thread

from mewcode.calls import ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.results import access_of, answer, failure, file_change, refused_or_failed
from mewcode.workspace.editing import Edited, NotUnique, replace
from mewcode.workspace.encodings import Encoding
from mewcode.workspace.near_misses import explain_miss
from mewcode.workspace.opening import open_place
from mewcode.workspace.snippets import short_diff
from mewcode.workspace.text_files import encode, read_text_file

_TOOL = "edit_file"


async def edit_file(bench: Bench, call: ToolCall) -> ToolResult:
    path: str = call.arguments["path"]
    if call.arguments["old"] == call.arguments["new"]:
        return failure(_TOOL, "`old` and `new` are the same: there is nothing to change.", path)
    try:
        return await anyio.to_thread.run_sync(_edit, bench, call, path)
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, path)


def _edit(bench: Bench, call: ToolCall, path: str) -> ToolResult:
    access = access_of(call.scope)
    old, new, everywhere = call.arguments["old"], call.arguments["new"], bool(call.arguments.get("all"))
    with access.locate(path, for_writing=True) as place:
        with open_place(place, path) as file:
            before = read_text_file(file, path, bench.settings.write_bytes)
        outcome = replace(before.text, old, new, everywhere=everywhere)
        if not isinstance(outcome, Edited):
            return failure(_TOOL, _why_not(outcome, before.text, old, path), path)
        try:
            data = encode(outcome.text, before.encoding)
        except UnicodeEncodeError as error:
            return failure(_TOOL, _not_encodable(error, before.encoding, path), path)
        if len(data) > bench.settings.write_bytes:
            raise WorkspaceError("workspace.too_large", path=path, size=len(data), limit=bench.settings.write_bytes)
        written = bench.writer.write_at(place, call.session, call.id, path, data, before.data, before.status)
    shown = access.shown(written.path)
    places = "1 place" if outcome.count == 1 else f"{outcome.count} places"
    text = f"Edited {shown}: {places}, the first at line {outcome.line}.\n{short_diff(before.text, outcome.text)}"
    return answer(_TOOL, text, shown, files=(file_change(written),))


def _why_not(outcome: NotUnique | None, text: str, old: str, path: str) -> str:
    if outcome is None:
        return f"The text to replace is not in {path}. {explain_miss(text, old)}"
    more = ", …" if outcome.count > len(outcome.lines) else ""
    lines = ", ".join(str(line) for line in outcome.lines)
    return (
        f"The text to replace is in {path} {outcome.count} times (lines {lines}{more}). Give more of the lines around "
        "the one that is meant, or set `all` to replace every one."
    )


def _not_encodable(error: UnicodeEncodeError, encoding: Encoding, path: str) -> str:
    character = error.object[error.start : error.start + 1]
    return f"{path} is encoded as {encoding.name}, which has no {character!r}; nothing was changed."

"""Creating or replacing a file."""

import anyio.to_thread

from mewcode.calls import ErrorKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.results import access_of, answer, failure, file_change, refused_or_failed
from mewcode.workspace.file_changes import Written
from mewcode.workspace.text_files import encode_new

_TOOL = "write_file"


async def write_file(bench: Bench, call: ToolCall) -> ToolResult:
    path: str = call.arguments["path"]
    try:
        data = encode_new(call.arguments["content"])
    except UnicodeEncodeError as error:
        return failure(_TOOL, f"The content cannot be written: {error}.", path, ErrorKind.INVALID_ARGUMENTS)
    limit = bench.settings.write_bytes
    if len(data) > limit:
        error = WorkspaceError("workspace.too_large", path=path, size=len(data), limit=limit)
        return failure(_TOOL, str(error), path)
    access = access_of(call.scope)
    try:
        written = await anyio.to_thread.run_sync(
            bench.writer.create_or_replace, access, call.session, call.id, path, data
        )
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, path)
    shown = access.shown(written.path)
    return answer(_TOOL, _told(shown, written, data), shown, files=(file_change(written),))


def _told(shown: str, written: Written, data: bytes) -> str:
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if written.before is None:
        return f"Created {shown} ({lines} lines, {len(data)} bytes)."
    if written.before == written.after:
        return f"{shown} already had this content."
    return f"Replaced {shown} ({lines} lines, {len(data)} bytes)."

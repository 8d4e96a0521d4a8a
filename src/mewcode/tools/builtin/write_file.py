"""The tool that creates or replaces a file."""

from collections.abc import Mapping

import anyio.to_thread

from mewcode.calls import Access as Act
from mewcode.calls import Effects, ErrorKind, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.results import access_of, answer, failure, file_change, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.file_changes import FileWriter, Written
from mewcode.workspace.text_files import encode_new


class WriteFile(Tool):
    """Creates or replaces, atomically; never clobbers a file that changed since it was read."""

    name = "write_file"
    effects = Effects(writes=True)
    main_argument = "path"

    def __init__(self, settings: BuiltinSettings, writer: FileWriter) -> None:
        self._limit = settings.write_bytes
        self._writer = writer
        self.description = (
            "Creates a file, or replaces all of one, in one step; missing directories are made. An existing file must "
            "have been read in this session and not changed since. To change a part of a file use edit_file. "
            f"At most {self._limit >> 20} MiB. The text is written as UTF-8, just as given."
        )
        self.parameters = parameters(
            {
                "path": text(f"The file. {PATH_RULES}", minLength=1),
                "content": text("The whole content of the file."),
            },
            required=("path", "content"),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments["path"], Act.WRITE),)

    async def execute(self, call: ToolCall) -> ToolResult:
        path: str = call.arguments["path"]
        try:
            data = encode_new(call.arguments["content"])
        except UnicodeEncodeError as error:
            return failure(self.name, f"The content cannot be written: {error}.", path, ErrorKind.INVALID_ARGUMENTS)
        if len(data) > self._limit:
            error = WorkspaceError("workspace.too_large", path=path, size=len(data), limit=self._limit)
            return failure(self.name, str(error), path)
        access = access_of(call.scope)
        try:
            written = await anyio.to_thread.run_sync(
                self._writer.create_or_replace, access, call.session, call.id, path, data
            )
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, path)
        shown = access.shown(written.path)
        return answer(self.name, _told(shown, written, data), shown, files=(file_change(written),))


def _told(shown: str, written: Written, data: bytes) -> str:
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if written.before is None:
        return f"Created {shown} ({lines} lines, {len(data)} bytes)."
    if written.before == written.after:
        return f"{shown} already had this content."
    return f"Replaced {shown} ({lines} lines, {len(data)} bytes)."

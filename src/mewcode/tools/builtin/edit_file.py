"""The tool that replaces a part of a file."""

from collections.abc import Mapping

import anyio.to_thread

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.results import access_of, answer, failure, file_change, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, flag, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.editing import Edited, NotUnique, replace
from mewcode.workspace.encodings import Encoding
from mewcode.workspace.file_changes import FileWriter
from mewcode.workspace.near_misses import explain_miss
from mewcode.workspace.opening import open_place
from mewcode.workspace.snippets import short_diff
from mewcode.workspace.text_files import encode, read_text_file


class EditFile(Tool):
    """Exact replacement; line ends, encoding and mode stay as they are."""

    name = "edit_file"
    effects = Effects(reads=True, writes=True)
    main_argument = "path"

    def __init__(self, settings: BuiltinSettings, writer: FileWriter) -> None:
        self._limit = settings.write_bytes
        self._writer = writer
        self.description = (
            "Replaces `old` by `new` in a text file. `old` must be in the file exactly as given, spaces and "
            "indentation included, and only once, unless `all` is set; give some lines around it to make it unique. "
            "Line ends, encoding and mode of the file are kept. An empty `new` deletes. The result shows the change."
        )
        self.parameters = parameters(
            {
                "path": text(f"The file. {PATH_RULES}", minLength=1),
                "old": text("The text to replace.", minLength=1),
                "new": text("What to put in its place."),
                "all": flag("Replace every place where `old` is found."),
            },
            required=("path", "old", "new"),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        path = arguments["path"]
        return Subject(SubjectKind.PATH, path, Act.READ), Subject(SubjectKind.PATH, path, Act.WRITE)

    async def execute(self, call: ToolCall) -> ToolResult:
        path: str = call.arguments["path"]
        if call.arguments["old"] == call.arguments["new"]:
            return failure(self.name, "`old` and `new` are the same: there is nothing to change.", path)
        try:
            return await anyio.to_thread.run_sync(self._edit, call, path)
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, path)

    def _edit(self, call: ToolCall, path: str) -> ToolResult:
        access = access_of(call.scope)
        old, new, everywhere = call.arguments["old"], call.arguments["new"], bool(call.arguments.get("all"))
        with access.locate(path, for_writing=True) as place:
            with open_place(place, path) as file:
                before = read_text_file(file, path, self._limit)
            outcome = replace(before.text, old, new, everywhere=everywhere)
            if not isinstance(outcome, Edited):
                return failure(self.name, _why_not(outcome, before.text, old, path), path)
            try:
                data = encode(outcome.text, before.encoding)
            except UnicodeEncodeError as error:
                return failure(self.name, _not_encodable(error, before.encoding, path), path)
            if len(data) > self._limit:
                raise WorkspaceError("workspace.too_large", path=path, size=len(data), limit=self._limit)
            written = self._writer.write_at(place, call.session, call.id, path, data, before.data, before.status)
        shown = access.shown(written.path)
        places = "1 place" if outcome.count == 1 else f"{outcome.count} places"
        text = f"Edited {shown}: {places}, the first at line {outcome.line}.\n{short_diff(before.text, outcome.text)}"
        return answer(self.name, text, shown, files=(file_change(written),))


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

"""The tool that reads a file."""

from collections.abc import Mapping

import anyio.from_thread
import anyio.to_thread

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.results import access_of, answer, failure, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, count, flag, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.files_read import FilesRead, Seen, digest_of_file
from mewcode.workspace.opening import OpenFile, open_file
from mewcode.workspace.reading import Lines, Window, read_lines


class ReadFile(Tool):
    """Text with line numbers, images, the text of PDFs, notebooks."""

    name = "read_file"
    effects = Effects(reads=True)
    main_argument = "path"

    def __init__(self, settings: BuiltinSettings, seen: FilesRead) -> None:
        self._settings = settings
        self._seen = seen
        self.description = (
            f"Reads a file: text with line numbers, images, the text of PDFs, notebooks. Without `limit` the first "
            f"{settings.read_lines} lines; the result says how much is left. Use `offset` (a line number, from 1) and "
            f"`limit` to go on, or `full` for everything. Lines longer than {settings.line_characters} characters are "
            "cut. Do not copy the line numbers and the tab after them into other calls."
        )
        self.parameters = parameters(
            {
                "path": text(f"The file. {PATH_RULES}", minLength=1),
                "offset": count("The first line to show, counted from 1.", default=1),
                "limit": count("How many lines to show."),
                "full": flag("Show all lines from `offset` on."),
            },
            required=("path",),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments["path"], Act.READ),)

    async def execute(self, call: ToolCall) -> ToolResult:
        path: str = call.arguments["path"]
        try:
            return await anyio.to_thread.run_sync(self._read, call, path, abandon_on_cancel=True)
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, path)

    async def end_session(self, session: str) -> None:
        self._seen.end_session(session)

    def _read(self, call: ToolCall, path: str) -> ToolResult:
        access = access_of(call.scope)
        with open_file(access, path) as file:
            digest = digest_of_file(file.descriptor, file.size)
            lines = read_lines(file, self._window(call.arguments), anyio.from_thread.check_cancelled)
            self._seen.record(call.session, file.path, Seen.of(file.status, digest))
            if lines is None:
                message = str(WorkspaceError("workspace.binary", path=path, size=file.size, kind=""))
                return failure(self.name, message, path)
            return answer(self.name, _shown(lines, file), access.shown(file.path), truncated=lines.left != 0)

    def _window(self, arguments: Mapping[str, Json]) -> Window:
        limit = None if arguments.get("full") else self._settings.read_lines
        return Window(
            offset=arguments.get("offset") or 1,
            limit=arguments.get("limit") or limit,
            line_characters=self._settings.line_characters,
        )


def _shown(lines: Lines, file: OpenFile) -> str:
    body = "\n".join(f"{lines.first + index:>6}\t{line}" for index, line in enumerate(lines.lines))
    return "\n".join(part for part in (body, *_notes(lines, file)) if part)


def _notes(lines: Lines, file: OpenFile) -> list[str]:
    notes: list[str] = []
    following = lines.first + len(lines.lines)
    if not lines.lines:
        notes.append("[The file is empty.]" if not file.size else f"[The file ends before line {lines.first}.]")
    if lines.left:
        notes.append(f"[{lines.left} more lines; go on with offset={following}.]")
    elif lines.left is None:
        notes.append(f"[Many more lines, about {lines.bytes_left >> 20} MiB; go on with offset={following}.]")
    if lines.cut:
        numbers = ", ".join(str(number) for number in lines.cut[:10])
        notes.append(f"[Cut because they are too long: lines {numbers}.]")
    if lines.encoding.name not in ("utf-8", "ascii"):
        notes.append(f"[Encoding: {lines.encoding.name}.]")
    if lines.undecodable:
        notes.append("[Some bytes are not valid UTF-8 and are shown as \ufffd.]")
    return notes

"""The tool that reads a file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import anyio.from_thread
import anyio.to_thread

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Image, Json, Origin, Subject, SubjectKind, Text, ToolCall, ToolResult, Trust
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.numbered_lines import numbered
from mewcode.tools.builtin.results import access_of, answer, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, count, flag, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.file_kinds import PDF, kind_of
from mewcode.workspace.files_read import FilesRead, Seen, digest_of_file
from mewcode.workspace.notebooks import notebook_text
from mewcode.workspace.opening import OpenFile, open_file
from mewcode.workspace.pdf_text import pdf_text
from mewcode.workspace.reading import Window, lines_of, read_lines, read_sample
from mewcode.workspace.text_files import read_whole

_MOST_IMAGE_BYTES = 5 << 20
"""Larger images are refused by the providers (Anthropic: 5 MB)."""
_MOST_NOTEBOOK_BYTES = 32 << 20
_DEADLINE = 60.0


@dataclass(frozen=True)
class _Pdf:
    """A descriptor of its own on a PDF, to be closed by whoever gets it."""

    descriptor: int
    shown: str


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

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return _DEADLINE

    async def execute(self, call: ToolCall) -> ToolResult:
        path: str = call.arguments["path"]
        try:
            read = await anyio.to_thread.run_sync(self._read, call, path, abandon_on_cancel=True)
            return read if isinstance(read, ToolResult) else await self._pdf(read, call.arguments)
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, path)

    async def end_session(self, session: str) -> None:
        self._seen.end_session(session)

    def _read(self, call: ToolCall, path: str) -> ToolResult | _Pdf:
        access = access_of(call.scope)
        with open_file(access, path) as file:
            shown = access.shown(file.path)
            self._seen.record(call.session, file.path, Seen.of(file.status, digest_of_file(file.descriptor, file.size)))
            kind = kind_of(read_sample(file))
            if kind == PDF:
                return _Pdf(os.dup(file.descriptor), shown)
            if kind is not None and kind.startswith("image/"):
                return self._image(file, kind, shown)
            if file.path.suffix == ".ipynb" and (result := self._notebook(file, call.arguments, shown)):
                return result
            lines = read_lines(file, self._window(call.arguments), anyio.from_thread.check_cancelled)
            if lines is None:
                raise WorkspaceError("workspace.binary", path=path, size=file.size, kind=f", {kind}" if kind else "")
            return answer(self.name, numbered(lines, file.size), shown, truncated=lines.left != 0)

    def _image(self, file: OpenFile, kind: str, shown: str) -> ToolResult:
        data = read_whole(file, shown, _MOST_IMAGE_BYTES)
        note = Text(f"{shown}: {kind}, {len(data)} bytes.")
        origin = Origin(self.name, place=shown)
        return ToolResult(content=(note, Image(data, kind)), origin=origin, trust=Trust.WORKSPACE)

    def _notebook(self, file: OpenFile, arguments: Mapping[str, Json], shown: str) -> ToolResult | None:
        rendered = notebook_text(read_whole(file, shown, _MOST_NOTEBOOK_BYTES))
        if rendered is None:
            return None
        note = "[The cells of a notebook; the file itself is JSON, which is what edit_file changes.]"
        return self._window_of(rendered, arguments, shown, note)

    async def _pdf(self, pdf: _Pdf, arguments: Mapping[str, Json]) -> ToolResult:
        try:
            found = await pdf_text(pdf.descriptor, pdf.shown)
        finally:
            os.close(pdf.descriptor)
        pages = (
            f"{found.pages} pages" if found.shown == found.pages else f"the first {found.shown} of {found.pages} pages"
        )
        return self._window_of(found.text, arguments, pdf.shown, f"[The text of a PDF, {pages}.]")

    def _window_of(self, rendered: str, arguments: Mapping[str, Json], shown: str, note: str) -> ToolResult:
        lines = lines_of(rendered, self._window(arguments))
        body = f"{numbered(lines, len(rendered))}\n{note}"
        return answer(self.name, body, shown, truncated=lines.left != 0)

    def _window(self, arguments: Mapping[str, Json]) -> Window:
        limit = None if arguments.get("full") else self._settings.read_lines
        return Window(
            offset=arguments.get("offset") or 1,
            limit=arguments.get("limit") or limit,
            line_characters=self._settings.line_characters,
        )

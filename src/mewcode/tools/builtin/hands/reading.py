"""Reading a file: text with line numbers, images, the text of PDFs, notebooks."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import anyio.from_thread
import anyio.to_thread

from mewcode.calls import Image, Json, Origin, Text, ToolCall, ToolResult, Trust
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.numbered_lines import numbered
from mewcode.tools.builtin.hands.results import access_of, answer, refused_or_failed
from mewcode.workspace.file_kinds import PDF, kind_of
from mewcode.workspace.files_read import Seen, digest_of_file
from mewcode.workspace.notebooks import notebook_text
from mewcode.workspace.opening import OpenFile, open_file
from mewcode.workspace.pdf_text import pdf_text
from mewcode.workspace.reading import Window, lines_of, read_lines, read_sample
from mewcode.workspace.text_files import read_whole

_TOOL = "read_file"
_MOST_IMAGE_BYTES = 5 << 20
"""Larger images are refused by the providers (Anthropic: 5 MB)."""
_MOST_NOTEBOOK_BYTES = 32 << 20


@dataclass(frozen=True)
class _Pdf:
    """A descriptor of its own on a PDF, to be closed by whoever gets it."""

    descriptor: int
    shown: str


async def read_file(bench: Bench, call: ToolCall) -> ToolResult:
    path: str = call.arguments["path"]
    try:
        read = await anyio.to_thread.run_sync(_read, bench, call, path, abandon_on_cancel=True)
        return read if isinstance(read, ToolResult) else await _pdf(bench, read, call.arguments)
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, path)


def _read(bench: Bench, call: ToolCall, path: str) -> ToolResult | _Pdf:
    access = access_of(call.scope)
    with open_file(access, path) as file:
        shown = access.shown(file.path)
        bench.seen.record(call.session, file.path, Seen.of(file.status, digest_of_file(file.descriptor, file.size)))
        kind = kind_of(read_sample(file))
        if kind == PDF:
            return _Pdf(os.dup(file.descriptor), shown)
        if kind is not None and kind.startswith("image/"):
            return _image(file, kind, shown)
        if file.path.suffix == ".ipynb" and (result := _notebook(bench, file, call.arguments, shown)):
            return result
        lines = read_lines(file, _window(bench, call.arguments), anyio.from_thread.check_cancelled)
        if lines is None:
            raise WorkspaceError("workspace.binary", path=path, size=file.size, kind=f", {kind}" if kind else "")
        return answer(_TOOL, numbered(lines, file.size), shown, truncated=lines.left != 0)


def _image(file: OpenFile, kind: str, shown: str) -> ToolResult:
    data = read_whole(file, shown, _MOST_IMAGE_BYTES)
    note = Text(f"{shown}: {kind}, {len(data)} bytes.")
    origin = Origin(_TOOL, place=shown)
    return ToolResult(content=(note, Image(data, kind)), origin=origin, trust=Trust.WORKSPACE)


def _notebook(bench: Bench, file: OpenFile, arguments: Mapping[str, Json], shown: str) -> ToolResult | None:
    rendered = notebook_text(read_whole(file, shown, _MOST_NOTEBOOK_BYTES))
    if rendered is None:
        return None
    note = "[The cells of a notebook; the file itself is JSON, which is what edit_file changes.]"
    return _window_of(bench, rendered, arguments, shown, note)


async def _pdf(bench: Bench, pdf: _Pdf, arguments: Mapping[str, Json]) -> ToolResult:
    try:
        found = await pdf_text(pdf.descriptor, pdf.shown)
    finally:
        os.close(pdf.descriptor)
    pages = f"{found.pages} pages" if found.shown == found.pages else f"the first {found.shown} of {found.pages} pages"
    return _window_of(bench, found.text, arguments, pdf.shown, f"[The text of a PDF, {pages}.]")


def _window_of(bench: Bench, rendered: str, arguments: Mapping[str, Json], shown: str, note: str) -> ToolResult:
    lines = lines_of(rendered, _window(bench, arguments))
    body = f"{numbered(lines, len(rendered))}\n{note}"
    return answer(_TOOL, body, shown, truncated=lines.left != 0)


def _window(bench: Bench, arguments: Mapping[str, Json]) -> Window:
    limit = None if arguments.get("full") else bench.settings.read_lines
    return Window(
        offset=arguments.get("offset") or 1,
        limit=arguments.get("limit") or limit,
        line_characters=bench.settings.line_characters,
    )

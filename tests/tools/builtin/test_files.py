"""Reading, writing and editing as a model does it."""

import io
import json
import os
import sys
from pathlib import Path

import pytest
from tests.tools.builtin.conftest import Use

from mewcode.calls import ErrorKind, Image, Scope, Trust
from mewcode.workspace.checkpoints import Checkpoints
from mewcode.workspace.files_read import digest_of

pytestmark = pytest.mark.anyio
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def pdf(*pages: str) -> bytes:
    """A PDF with these texts, written by pypdf from nothing."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
                             NameObject("/BaseFont"): NameObject("/Helvetica")})  # fmt: skip
    for text in pages:
        page = writer.add_blank_page(300, 300)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(content)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


async def test_lines_are_numbered_and_the_rest_is_told(use: Use, folder: Path) -> None:
    (folder / "a.txt").write_text("".join(f"row {n}\n" for n in range(1, 251)))
    result = await use("read_file", path="a.txt")
    assert result.text.splitlines()[0] == "     1\trow 1"
    assert result.text.splitlines()[-1] == "[50 more lines; go on with offset=201.]"
    assert result.truncated
    assert result.trust is Trust.WORKSPACE
    assert result.origin.place == "a.txt"
    rest = await use("read_file", path="a.txt", offset=201)
    assert rest.text.splitlines()[-1] == "   250\trow 250"
    assert len((await use("read_file", path="a.txt", full=True)).text.splitlines()) == 250


async def test_an_image_comes_as_an_image(use: Use, folder: Path) -> None:
    (folder / "a.dat").write_bytes(PNG)
    result = await use("read_file", path="a.dat")
    assert Image(PNG, "image/png") in result.content


async def test_the_text_of_a_pdf_is_read_page_by_page(use: Use, folder: Path) -> None:
    (folder / "a.pdf").write_bytes(pdf("first page", "second page"))
    result = await use("read_file", path="a.pdf")
    assert "first page" in result.text
    assert "--- page 2 ---" in result.text
    assert "2 pages" in result.text
    assert "first page" not in (await use("read_file", path="a.pdf", offset=3)).text


async def test_a_broken_pdf_is_a_clear_error(use: Use, folder: Path) -> None:
    (folder / "a.pdf").write_bytes(b"%PDF-1.7\n" + os.urandom(500))
    result = await use("read_file", path="a.pdf")
    assert result.is_error
    assert "a.pdf" in result.text


async def test_a_notebook_is_shown_as_its_cells(use: Use, folder: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": "1/0", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["printed\n"]},
            {"output_type": "display_data", "data": {"image/png": "aaaa", "text/plain": "<Figure>"}},
            {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "x", "traceback": ["\x1b[31mboom\x1b[0m"]},
        ]},
    ]  # fmt: skip
    (folder / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    text = (await use("read_file", path="n.ipynb")).text
    for part in ("# Title", "cell 2, code", "1/0", "printed", "<Figure>", "image/png", "\tboom"):
        assert part in text
    (folder / "broken.ipynb").write_text('{"cells": [')
    assert '{"cells": [' in (await use("read_file", path="broken.ipynb")).text


@pytest.mark.parametrize(("data", "said"), [(b"\0" * 50, "binary"), (b"\x7fELF\0\0\0\0", "ELF"), (b"", "empty")])
async def test_what_cannot_be_shown_is_said_politely(use: Use, folder: Path, data: bytes, said: str) -> None:
    (folder / "f").write_bytes(data)
    assert said in (await use("read_file", path="f")).text


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
async def test_a_named_pipe_is_an_answer_not_a_wait(use: Use, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    for tool, more in (("read_file", {}), ("write_file", {"content": "x"}), ("edit_file", {"old": "a", "new": "b"})):
        assert "named pipe" in (await use(tool, path="pipe", **more)).text


@pytest.mark.parametrize("tool", ["read_file", "write_file", "edit_file", "search_code", "find_files", "run_command"])
async def test_a_path_outside_is_refused_by_every_tool(use: Use, folder: Path, tool: str) -> None:
    (folder.parent / "secret").mkdir()
    (folder.parent / "secret" / "s.txt").write_text("top secret")
    (folder / "link").symlink_to(folder.parent / "secret")
    more = {
        "read_file": {"path": "link/s.txt"},
        "write_file": {"path": "link/new.txt", "content": "x"},
        "edit_file": {"path": "link/s.txt", "old": "top", "new": "x"},
        "search_code": {"query": "secret", "path": "link"},
        "find_files": {"pattern": "*", "path": "link"},
        "run_command": {"command": "ls", "cwd": "link"},
    }
    result = await use(tool, **more[tool])
    assert result.error is not None
    assert result.error.kind is ErrorKind.REFUSED
    assert "top secret" not in result.text
    assert (folder.parent / "secret" / "s.txt").read_text() == "top secret"


async def test_a_file_is_created_with_its_directories_and_hashes(use: Use, folder: Path) -> None:
    result = await use("write_file", path="a/b/c.txt", content="hällo\r\n")
    assert (folder / "a/b/c.txt").read_bytes() == "hällo\r\n".encode()
    (change,) = result.files
    assert (change.path, change.before) == (str(folder / "a/b/c.txt"), None)
    assert change.after == digest_of("hällo\r\n".encode())


async def test_a_file_that_was_not_read_is_not_clobbered(use: Use, folder: Path) -> None:
    (folder / "a.txt").write_text("precious")
    refused = await use("write_file", path="a.txt", content="x")
    assert refused.is_error
    assert "not read in this session" in refused.text
    await use("read_file", path="a.txt")
    assert not (await use("write_file", path="a.txt", content="y")).is_error
    (folder / "a.txt").write_text("by hand")
    assert "changed since" in (await use("write_file", path="a.txt", content="z")).text
    assert (folder / "a.txt").read_text() == "by hand"


async def test_too_large_a_content_is_refused(use: Use, folder: Path) -> None:
    result = await use("write_file", path="a.txt", content="x" * ((10 << 20) + 1))
    assert result.is_error
    assert not (folder / "a.txt").exists()


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
async def test_an_edit_keeps_encoding_line_ends_and_mode(use: Use, folder: Path, codec: str) -> None:
    path = folder / "a.txt"
    text = "erste Zeile für später\r\nzweite Straße\r\ndritte über alles\r\n"
    path.write_bytes(text.encode(codec))
    path.chmod(0o750)
    result = await use("edit_file", path="a.txt", old="erste Zeile für später\nzweite", new="eins\nzwei")
    assert not result.is_error, result.text
    assert path.read_bytes() == "eins\r\nzwei Straße\r\ndritte über alles\r\n".encode(codec)
    assert path.stat().st_mode & 0o777 == 0o750
    assert "+zwei Straße" in result.text
    assert result.files[0].before == digest_of(text.encode(codec))


async def test_bytes_that_are_no_utf_8_survive_an_edit(use: Use, folder: Path) -> None:
    data = b"value = 1\n" * 10_000 + b"odd \xff\xfe bytes\n"
    (folder / "a.txt").write_bytes(data + b"last\n")
    assert not (await use("edit_file", path="a.txt", old="last", new="final")).is_error
    assert (folder / "a.txt").read_bytes() == data + b"final\n"


async def test_edits_say_why_they_cannot_be_made(use: Use, folder: Path) -> None:
    (folder / "a.py").write_text("if x:\n\ty = 1\nif x:\n")
    assert "1 tab" in (await use("edit_file", path="a.py", old="if x:\n    y = 1", new="z")).text
    assert "2 times (lines 1, 3)" in (await use("edit_file", path="a.py", old="if x:", new="z")).text
    assert "the same" in (await use("edit_file", path="a.py", old="x", new="x")).text
    assert "does not exist" in (await use("edit_file", path="b.py", old="x", new="y")).text
    assert (folder / "a.py").read_text() == "if x:\n\ty = 1\nif x:\n"


async def test_what_was_overwritten_is_kept(use: Use, folder: Path, checkpoints: Checkpoints) -> None:
    (folder / "a.py").write_text("old")
    await use("edit_file", path="a.py", old="old", new="new")
    (change,) = checkpoints.changes("s")
    assert change.before is not None
    assert checkpoints.contents.get(change.before) == b"old"


async def test_outputs_of_the_session_are_read_and_not_written(use: Use, folder: Path) -> None:
    outputs = folder.parent / "outputs"
    outputs.mkdir()
    (outputs / "1.txt").write_text("whole output")
    scope = Scope(roots=(folder,), read_only_roots=(outputs,))
    assert "whole output" in (await use("read_file", scope=scope, path=str(outputs / "1.txt"))).text
    written = await use("write_file", scope=scope, path=str(outputs / "2.txt"), content="x")
    assert written.error is not None
    assert written.error.kind is ErrorKind.REFUSED


async def test_results_of_a_search_tell_how_to_narrow_it(use: Use, folder: Path) -> None:
    (folder / "a.txt").write_text("needle\n" * 80)
    result = await use("search_code", query="needle")
    assert result.text.count("a.txt:") == 50
    assert "[50 of 80 matching lines, in 1 files. Narrow it" in result.text
    assert result.truncated
    assert "No match" in (await use("search_code", query="nothing")).text
    assert "regex parse error" in (await use("search_code", query="(")).text


async def test_files_beyond_the_limit_are_counted(use: Use, folder: Path) -> None:
    for number in range(210):
        (folder / f"{number:03}.txt").write_text("")
    result = await use("find_files", pattern="*.txt", sort="name")
    assert result.text.splitlines()[0] == "000.txt"
    assert "[10 more files." in result.text


async def test_the_list_is_kept_by_session(use: Use) -> None:
    items = [{"content": "first", "status": "done"}, {"content": "second"}]
    assert (await use("todo", items=items)).text == "[x] first\n[ ] second"
    assert (await use("todo")).text == "[x] first\n[ ] second"
    assert "empty" in (await use("todo", session="other")).text


async def test_a_word_that_no_file_is_named_by_is_led_to_the_search_of_contents(use: Use) -> None:
    word = await use("find_files", pattern="greet")
    assert "search_code" in word.text and "`*greet*`" in word.text
    assert "search_code" not in (await use("find_files", pattern="*.nothing")).text

"""The text of a PDF, read by a process of its own (pdf_program.py) that can always be ended."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mewcode.errors import WorkspaceError
from mewcode.workspace.capture import capture
from mewcode.workspace.ripgrep import ripgrep_environment

_PROGRAM = str(Path(__file__).with_name("pdf_program.py"))
_MOST_PAGES = 200
_MOST_SECONDS = 20
_MOST_OUTPUT = 16 << 20


@dataclass(frozen=True)
class PdfText:
    """The text of the first `shown` of `pages` pages, with a heading for each."""

    text: str
    pages: int
    shown: int


async def pdf_text(descriptor: int, shown: str) -> PdfText:
    """Reads the PDF that `descriptor` is open on. Raises WorkspaceError."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    result = await capture(
        [sys.executable, "-I", _PROGRAM, str(_MOST_PAGES), str(_MOST_SECONDS)],
        cwd=os.sep,
        environment=ripgrep_environment(),
        deadline=_MOST_SECONDS + 10,
        limit=_MOST_OUTPUT,
        stdin=descriptor,
    )
    answer = _answer(result.output)
    if "error" in answer:
        raise WorkspaceError("workspace.failed", path=shown, reason=answer["error"])
    texts: list[str] = answer["texts"]
    pages = [f"--- page {number} ---\n{text.strip()}" for number, text in enumerate(texts, 1)]
    return PdfText("\n".join(pages), answer["pages"], len(texts))


def _answer(output: bytes) -> dict[str, Any]:
    try:
        return json.loads(output)
    except ValueError:
        return {"error": "reading it took too long or too much memory"}

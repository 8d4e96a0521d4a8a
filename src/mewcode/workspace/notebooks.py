"""A Jupyter notebook as text: its cells, and what they printed."""

import json
from typing import Any

from mewcode.workspace.terminal_noise import clean_line

_OUTPUT_LINES = 40


def notebook_text(data: bytes) -> str | None:
    """The cells one after the other; None when the data are no notebook."""
    try:
        cells: list[Any] = json.loads(data)["cells"]
        return "\n".join(line for number, cell in enumerate(cells, 1) for line in _cell(number, cell))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _cell(number: int, cell: dict[str, Any]) -> list[str]:
    lines = [f"--- cell {number}, {cell['cell_type']} ---", *_joined(cell["source"]).splitlines()]
    for output in cell.get("outputs") or ():
        lines += ["--- output ---", *_output(output)]
    return lines


def _output(output: dict[str, Any]) -> list[str]:
    if output["output_type"] == "error":
        text = "\n".join(output.get("traceback") or [f"{output.get('ename')}: {output.get('evalue')}"])
    elif output["output_type"] == "stream":
        text = _joined(output["text"])
    else:
        data: dict[str, Any] = output.get("data") or {}
        text = _joined(data.get("text/plain", ""))
        others = sorted(kind for kind in data if kind != "text/plain")
        text += f"\n[also as {', '.join(others)}]" if others else ""
    lines = [clean_line(line) for line in text.strip("\n").split("\n")]
    left_out = len(lines) - _OUTPUT_LINES
    return [*lines[:_OUTPUT_LINES], f"[{left_out} more lines of output]"] if left_out > 0 else lines


def _joined(text: "str | list[str]") -> str:
    """The format (nbformat 4) allows one string or a list of them."""
    return text if isinstance(text, str) else "".join(text)

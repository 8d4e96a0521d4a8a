"""Makes docs/terminal.svg from the real program: `python docs/captures.py`.

Runs `mewcode` in a pseudo-terminal against a scripted model, and draws what a terminal emulator shows.
"""

import html
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from prompt_toolkit.utils import get_cwidth
from tests.endpoint import Call, Turn, serve
from tests.terminal.pty_session import PtySession, running, settings_for

COLUMNS, ROWS = 88, 34
CELL, LINE, MARGIN = 8.43, 18, 14
COLOURS = {
    "default": "#d8dee9", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b", "blue": "#61afef",
    "magenta": "#c678dd", "cyan": "#56b6c2", "white": "#ffffff", "black": "#5c6370",
}  # fmt: skip
SOURCE = 'def greet(name):\n    return "Hello " + name\n\n\ndef part(name):\n    return "Goodbye " + name\n'
SCRIPT = [
    Turn(
        "I will look at the file first.",
        calls=[Call("read_file", {"path": "greet.py"}), Call("search_code", {"query": "greet\\("})],
    ),
    Turn(
        "An **f-string** reads better:\n\n- same behaviour, 你好 included\n- one change, in `greet.py`",
        calls=[
            Call("edit_file", {"path": "greet.py", "old": 'return "Hello " + name', "new": 'return f"Hello {name}"'})
        ],
    ),
    Turn("Done."),
]


def capture(folder: Path) -> str:
    os.environ.update(MEWCODE_HOME=str(folder / "home"), MEWCODE_MANAGED_CONFIG="", MEWCODE_LANG="en")
    workspace = folder / "hello"
    workspace.mkdir()
    (workspace / "greet.py").write_text(SOURCE)
    size = {"columns": COLUMNS, "rows": ROWS}
    with serve(SCRIPT) as endpoint, running(workspace, settings=settings_for(endpoint), **size) as session:
        session.wait_for("default ·")
        session.say("Tidy greet.py")
        session.wait_for("yes, this once")
        picture = svg_of(session, {str(folder): "~"})
        session.send("n")
        session.wait_for("Done.")
        session.quit()
    return picture


def svg_of(session: PtySession, hidden: dict[str, str]) -> str:
    """The visible screen as SVG; `hidden` replaces texts that depend on this machine."""
    screen = session.emulator
    rows = list(range(screen.lines))
    while rows and not screen.display[rows[-1]].strip():
        rows.pop()
    width, height = COLUMNS * CELL + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN
    lines = [_line(screen.buffer[row], row, hidden) for row in rows]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-size="14" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1e222a"/>\n{"".join(lines)}</svg>\n'
    )


def _line(cells, row: int, hidden: dict[str, str]) -> str:
    pieces, column = [], 0
    while column < COLUMNS:
        style = _style(cells[column])
        start, text = column, ""
        while column < COLUMNS and _style(cells[column]) == style:
            text += cells[column].data
            column += 1
        for real, shown in hidden.items():
            text = text.replace(real, shown)
        if text.strip():
            x, y = MARGIN + start * CELL, MARGIN + (row + 0.75) * LINE
            length = get_cwidth(text.rstrip()) * CELL
            pieces.append(
                f'<text x="{x:.1f}" y="{y:.1f}" {style} textLength="{length:.1f}" xml:space="preserve">'
                f"{html.escape(text.rstrip())}</text>\n"
            )
    return "".join(pieces)


def _style(cell) -> str:
    colour = COLOURS.get(cell.fg, COLOURS["default"])
    return f'fill="{colour}"' + (' font-weight="bold"' if cell.bold else "")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        target = Path(__file__).with_name("terminal.svg")
        target.write_text(capture(Path(folder)), encoding="utf-8")

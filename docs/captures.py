"""Makes the pictures in docs/captures/ from the real program: `python docs/captures.py [NAME...]`.

Runs `mewcode` in a pseudo-terminal against a scripted model, and draws what a terminal emulator shows.
"""

import html
import json
import os
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pyte
from prompt_toolkit.utils import get_cwidth
from tests.endpoint import Call, Turn, serve
from tests.terminal.pty_session import PtySession, running, settings_for

SIZES = ((80, 24), (40, 20), (200, 60))
THEMES = ("dark", "light")
CELL, LINE, MARGIN = 8.43, 18, 14
NAMES = ("default", "red", "green", "brown", "blue", "magenta", "cyan", "white", "black")
DARK = ("#d8dee9", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff", "#5c6370")
LIGHT = ("#383a42", "#c91b00", "#2e7d32", "#986801", "#2257c4", "#8a2be2", "#0f7b8a", "#000000", "#a0a1a7")
PALETTES = {"dark": dict(zip(NAMES, DARK, strict=True)), "light": dict(zip(NAMES, LIGHT, strict=True))}
PAPER = {"dark": "#1e222a", "light": "#fafafa"}
SOURCE = 'def greet(name):\n    return "Hello " + name\n\n\ndef part(name):\n    return "Goodbye " + name\n'
STEPS = [("Look at greet.py", "done"), ("Use an f-string", "in_progress"), ("运行测试", "pending")]
SCRIPT = [
    Turn(
        "I will look at the file first.",
        calls=[Call("read_file", {"path": "greet.py"}), Call("search_code", {"query": "greet\\("})],
    ),
    Turn(
        "An **f-string** reads better:\n\n- same behaviour, 你好 included\n- one change, in `greet.py`",
        calls=[
            Call("todo", {"items": [{"content": text, "status": status} for text, status in STEPS]}),
            Call("edit_file", {"path": "greet.py", "old": 'return "Hello " + name', "new": 'return f"Hello {name}"'}),
        ],
    ),
    Turn("Done."),
]
SERVER = Path(__file__).resolve().parents[1] / "tests" / "mcp" / "modern_server.py"
SERVERS = {
    "notes": {"command": sys.executable, "args": [str(SERVER), "stdio"]},
    "tracker": {"url": "http://127.0.0.1:9/mcp"},
}


def main(wanted: Sequence[str]) -> None:
    folder = Path(__file__).with_name("captures")
    folder.mkdir(exist_ok=True)
    scenes = {f"question-{c}x{r}-{theme}": (ask, c, r, theme) for c, r in SIZES for theme in THEMES}
    scenes |= {"servers-80x24-dark": (servers, 80, 24, "dark"), "context-80x24-dark": (context, 80, 24, "dark")}
    scenes |= {"trust-80x24-dark": (trust, 80, 24, "dark"), "session": (ask, 88, 40, "dark")}
    for name, (scene, columns, rows, theme) in scenes.items():
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as place:
            picture = scene(Path(place), columns, rows, theme)
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


# --- scenes ----------------------------------------------------------------------------------------------------


def ask(folder: Path, columns: int, rows: int, theme: str) -> str:
    """A question about an edit, behind two calls side by side and a list of steps."""
    with serve(SCRIPT) as endpoint, started(folder, endpoint, columns, rows, theme) as session:
        session.wait_for("named by")
        session.say("Tidy greet.py")
        session.wait_for("yes, this once", "▸ y")
        picture = svg_of(session, theme, {str(folder): "~"})
        session.send("n")
        session.wait_for("Done.")
        session.quit()
    return picture


def servers(folder: Path, columns: int, rows: int, theme: str) -> str:
    settings = f"mcp_servers: {json.dumps(SERVERS)}"
    with serve(SCRIPT) as endpoint, started(folder, endpoint, columns, rows, theme, settings) as session:
        session.wait_for("mcp 1/2")
        ends = time.monotonic() + 20  # until the other one has been given up
        while time.monotonic() < ends:
            session.read()
        session.say("/mcp")
        session.wait_for("✗ tracker")
        session.say("/mcp tracker")
        session.wait_for("Next: /mcp reconnect tracker")
        picture = svg_of(session, theme, {str(folder): "~"})
        session.quit()
    return picture


def context(folder: Path, columns: int, rows: int, theme: str) -> str:
    turns = [Turn("The whole story. " * 60, calls=[Call("read_file", {"path": "greet.py"})]), Turn("Read.")]
    with serve(turns) as endpoint, started(folder, endpoint, columns, rows, theme) as session:
        session.wait_for("default ·")
        session.say("Read greet.py")
        session.wait_for("Read.", gone="Esc interrupts")
        session.say("/context")
        session.wait_for("/compact summarises")
        picture = svg_of(session, theme, {str(folder): "~"})
        session.quit()
    return picture


def trust(folder: Path, columns: int, rows: int, theme: str) -> str:
    entry = {"helper": {"command": "uvx", "args": ["project-helper"], "env": {"TOKEN": "${HELPER_TOKEN}"}}}
    workspace = workspace_in(folder)
    (workspace / ".mewcode.yaml").write_text(f"mcp_servers: {json.dumps(entry)}\n")
    with serve(SCRIPT) as endpoint, started(folder, endpoint, columns, rows, theme) as session:
        session.wait_for("Trust the server helper", "type to narrow")
        picture = svg_of(session, theme, {str(folder): "~"})
        session.send("\x1b")
        session.wait_for("default ·")
        session.quit()
    return picture


def workspace_in(folder: Path) -> Path:
    workspace = folder / "hello"
    workspace.mkdir(exist_ok=True)
    (workspace / "greet.py").write_text(SOURCE)
    return workspace


def started(folder: Path, endpoint: Any, columns: int, rows: int, theme: str, settings: str = ""):
    os.environ.update(MEWCODE_HOME=str(folder / "home"), MEWCODE_MANAGED_CONFIG="", MEWCODE_LANG="en")
    whole = settings_for(endpoint, f"ui: {{theme: {theme}}}\n{settings}")
    return _dimming(running(workspace_in(folder), settings=whole, columns=columns, rows=rows), columns, rows)


@contextmanager
def _dimming(opened: Any, columns: int, rows: int) -> Generator[PtySession, None, None]:
    with opened as session:
        session.emulator = _Dimming(columns, rows, history=5000, ratio=0.5)
        session._stream = pyte.ByteStream(session.emulator)
        yield session


# --- drawing ---------------------------------------------------------------------------------------------------


def svg_of(session: PtySession, theme: str, hidden: Mapping[str, str]) -> str:
    """The visible screen as SVG; `hidden` replaces texts that depend on this machine."""
    session.read(0.3)
    screen = session.emulator
    rows = list(range(screen.lines))
    while rows and not screen.display[rows[-1]].strip():
        rows.pop()
    width, height = screen.columns * CELL + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN
    lines = [_line(screen.buffer[row], screen.columns, row, PALETTES[theme], hidden) for row in rows]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-size="14" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER[theme]}"/>\n{"".join(lines)}</svg>\n'
    )


def _line(cells: Any, columns: int, row: int, palette: Mapping[str, str], hidden: Mapping[str, str]) -> str:
    pieces, column = [], 0
    while column < columns:
        style = _style(cells[column], palette)
        start, text = column, ""
        while column < columns and _style(cells[column], palette) == style:
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


def _style(cell: Any, palette: Mapping[str, str]) -> str:
    colour = palette.get(cell.fg, palette["default"])
    dim = ' opacity="0.6"' if cell.blink else ""
    return f'fill="{colour}"{dim}' + (' font-weight="bold"' if cell.bold else "")


class _Dimming(pyte.HistoryScreen):
    """An emulator that knows dim text, which the library leaves out; nothing here blinks, so blinking stands for it."""

    def select_graphic_rendition(self, *attributes: int, **options: Any) -> None:
        dim = self.cursor.attrs.blink
        super().select_graphic_rendition(*attributes, **options)
        for one in attributes or (0,):
            dim = one == 2 or (dim and one not in (0, 22))
        self.cursor.attrs = self.cursor.attrs._replace(blink=dim)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Markdown as lines for the terminal. Loaded behind the prompt: rich takes its time to import."""

from functools import cache
from io import StringIO
from typing import Any

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, TableElement
from rich.segment import Segment
from rich.style import Style
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from mewcode.terminal.ink import Ink

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")
TAIL_STEP = 4
"""Lines by which the part of a growing block that is rendered moves on."""


class LeftHeading(Heading):
    """A heading at the left margin, without the box that rich puts around the first one."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        if self.tag in ("h1", "h2"):
            yield Text("")
        yield self.text


class PlainCode(CodeBlock):
    """Code on the terminal's own background, indented, so that copying it gives the code and nothing else."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        theme = "ansi_light" if console.get_style("mewcode.light").bold else "ansi_dark"
        syntax = Syntax(code, self.lexer_name, theme=theme, word_wrap=True, background_color="default")
        for line in console.render_lines(syntax, options.update(width=max(10, options.max_width - 2)), pad=False):
            yield Segment("  ")
            yield from line
            yield Segment.line()


class TightTable(TableElement):
    """A table without the empty lines that rich draws as its upper and lower edge."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for one in super().__rich_console__(console, options):
            if isinstance(one, Table):
                one.show_edge = False
            yield one


class TerminalMarkdown(Markdown):
    """Without HTML: `Option<T>` is text, and rich would leave out whatever looks like a tag."""

    def __init__(self, markup: str) -> None:
        super().__init__("", hyperlinks=False)  # a text that hides where its links lead is a way to mislead
        self.parsed = _PARSER.parse(markup)

    elements = {  # noqa: RUF012 - as rich has it
        **Markdown.elements,
        "heading_open": LeftHeading,
        "fence": PlainCode,
        "code_block": PlainCode,
        "table_open": TightTable,
    }


def render_markdown(text: str, width: int, ink: Ink) -> str:
    """`text` as lines of at most `width` cells with colours. It must be clean of control characters already."""
    console, out = _console(ink)
    console.width = width
    console.print(TerminalMarkdown(text))
    rendered = out.getvalue()
    out.seek(0)
    out.truncate()
    return "\n".join(line.rstrip() for line in rendered.split("\n")).strip("\n")


def render_tail(text: str, width: int, ink: Ink, lines: int) -> str:
    """The end of a block that still grows, at least `lines` of it: cheap however long it has become. What is above is
    not seen anyway."""
    first, _, _ = text.partition("\n")
    step = TAIL_STEP * width
    start = max(0, len(text) - lines * width - step)
    start += -start % step  # moves seldom: each time all of its lines break elsewhere
    shown = "\n".join(text[start:].split("\n")[-lines - TAIL_STEP :])
    if len(shown) < len(text) and first.lstrip().startswith(("```", "~~~")):
        shown = f"{first}\n{shown}"  # still code, of the same language
    return render_markdown(shown, width, ink)


@cache
def _console(ink: Ink) -> tuple[Console, StringIO]:
    out = StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        color_system="standard" if ink.colour else None,
        no_color=not ink.colour,
        highlight=False,
        legacy_windows=False,
        theme=Theme(_styles(ink)),
    )
    return console, out


def _styles(ink: Ink) -> dict[str, Any]:
    accent = "blue" if ink.name == "light" else "cyan"
    heading = Style(bold=True, color=accent)
    styles: dict[str, Any] = {f"markdown.h{level}": heading for level in range(1, 7)}
    styles["markdown.code"] = Style(color=accent)
    styles["markdown.block_quote"] = Style(dim=True)
    styles["markdown.item.bullet"] = styles["markdown.item.number"] = Style(color=accent)
    styles["markdown.hr"] = Style(dim=True)
    styles["mewcode.light"] = Style(bold=ink.name == "light")
    return styles

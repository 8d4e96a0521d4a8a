"""The tool that reads a file."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.schema import PATH_RULES, count, flag, parameters, text

_DEADLINE = 60.0


class ReadFile(Tool):
    """Text with line numbers, images, the text of PDFs, notebooks."""

    name = "read_file"
    effects = Effects(reads=True)
    main_argument = "path"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        settings = bench.settings
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
        from mewcode.tools.builtin.hands.reading import read_file

        return await read_file(self._bench, call)

    async def end_session(self, session: str) -> None:
        self._bench.seen.end_session(session)

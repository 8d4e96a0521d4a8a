"""The tool that replaces a part of a file."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.schema import PATH_RULES, flag, parameters, text


class EditFile(Tool):
    """Exact replacement; line ends, encoding and mode stay as they are."""

    name = "edit_file"
    effects = Effects(reads=True, writes=True)
    main_argument = "path"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.description = (
            "Replaces `old` by `new` in a text file. `old` must be in the file exactly as given, spaces and "
            "indentation included, and only once, unless `all` is set; give some lines around it to make it unique. "
            "Line ends, encoding and mode of the file are kept. An empty `new` deletes. The result shows the change."
        )
        self.parameters = parameters(
            {
                "path": text(f"The file. {PATH_RULES}", minLength=1),
                "old": text("The text to replace.", minLength=1),
                "new": text("What to put in its place."),
                "all": flag("Replace every place where `old` is found."),
            },
            required=("path", "old", "new"),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        path = arguments["path"]
        return Subject(SubjectKind.PATH, path, Act.READ), Subject(SubjectKind.PATH, path, Act.WRITE)

    async def execute(self, call: ToolCall) -> ToolResult:
        from mewcode.tools.builtin.hands.editing import edit_file

        return await edit_file(self._bench, call)

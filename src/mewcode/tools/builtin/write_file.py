"""The tool that creates or replaces a file."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.schema import PATH_RULES, parameters, text


class WriteFile(Tool):
    """Creates or replaces, atomically; never clobbers a file that changed since it was read."""

    name = "write_file"
    effects = Effects(writes=True)
    main_argument = "path"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.description = (
            "Creates a file, or replaces all of one, in one step; missing directories are made. An existing file must "
            "have been read in this session and not changed since. To change a part of a file use edit_file. "
            f"At most {bench.settings.write_bytes >> 20} MiB. The text is written as UTF-8, just as given."
        )
        self.parameters = parameters(
            {
                "path": text(f"The file. {PATH_RULES}", minLength=1),
                "content": text("The whole content of the file."),
            },
            required=("path", "content"),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments["path"], Act.WRITE),)

    async def execute(self, call: ToolCall) -> ToolResult:
        from mewcode.tools.builtin.hands.writing import write_file

        return await write_file(self._bench, call)

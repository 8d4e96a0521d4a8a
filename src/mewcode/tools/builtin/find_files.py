"""The tool that finds files by name."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.schema import PATH_RULES, parameters, text

_GRACE = 5.0


class FindFiles(Tool):
    """Globs, newest first or by name."""

    name = "find_files"
    effects = Effects(reads=True)
    main_argument = "pattern"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.description = (
            "Finds files whose path matches a glob: `*.py` at any depth, `src/**/*.ts`, `**/test_*`; `*` lists all. "
            "Files that .gitignore names, .git and symbolic links are left out. Newest first, or sorted by name. "
            f"At most {bench.settings.find_limit} paths; the result says how many more there are."
        )
        self.parameters = parameters(
            {
                "pattern": text("The glob.", minLength=1),
                "path": text(f"The directory to look in. {PATH_RULES}", default="."),
                "sort": text("The order.", enum=["newest", "name"], default="newest"),
            },
            required=("pattern",),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments.get("path") or ".", Act.READ),)

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return self._bench.settings.search_deadline + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        from mewcode.tools.builtin.hands.finding import find

        return await find(self._bench, call)

"""The tool that finds files by name."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.results import access_of, answer, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.finding import Files, find_files

_GRACE = 5.0


class FindFiles(Tool):
    """Globs, newest first or by name."""

    name = "find_files"
    effects = Effects(reads=True)
    main_argument = "pattern"

    def __init__(self, settings: BuiltinSettings) -> None:
        self._settings = settings
        self.description = (
            "Finds files whose path matches a glob: `*.py` at any depth, `src/**/*.ts`, `**/test_*`; `*` lists all. "
            "Files that .gitignore names, .git and symbolic links are left out. Newest first, or sorted by name. "
            f"At most {settings.find_limit} paths; the result says how many more there are."
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
        return self._settings.search_deadline + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        pattern, path = call.arguments["pattern"], call.arguments.get("path") or "."
        try:
            files = await find_files(
                pattern,
                access_of(call.scope),
                path=path,
                order=call.arguments.get("sort") or "newest",
                limit=self._settings.find_limit,
                deadline=self._settings.search_deadline,
            )
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, path)
        structured = {"files": list(files.names), "total": files.total}
        cut = len(files.names) < files.total or files.incomplete
        return answer(self.name, _shown(files, pattern, path), path, truncated=cut, structured=structured)


def _shown(files: Files, pattern: str, path: str) -> str:
    lines = list(files.names) or [f"No file matches {pattern!r} in {path}."]
    if (more := files.total - len(files.names)) > 0:
        lines.append(f"[{more} more files. Narrow it with `path` or a more exact `pattern`.]")
    if files.incomplete:
        lines.append("[The time was over before all files were seen.]")
    return "\n".join(lines)

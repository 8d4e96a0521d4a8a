"""The tool that searches file contents."""

from collections.abc import Mapping
from itertools import pairwise

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.base import Tool
from mewcode.tools.builtin.results import access_of, answer, refused_or_failed
from mewcode.tools.builtin.schema import PATH_RULES, count, flag, parameters, text
from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.workspace.code_search import Found, Query, search_code
from mewcode.workspace.search_engine import Line

_GRACE = 5.0
_MOST_MATCHES = 1_000
_MOST_CONTEXT = 20


class SearchCode(Tool):
    """ripgrep, in the same order each time."""

    name = "search_code"
    effects = Effects(reads=True)
    main_argument = "query"

    def __init__(self, settings: BuiltinSettings) -> None:
        self._settings = settings
        self.description = (
            "Searches the contents of files with ripgrep and answers with path:line:text, sorted by path. `query` is a "
            "regular expression (Rust syntax, no look-around; (?i) ignores case), or plain text with `literal`. Files "
            "that .gitignore names, binary files and .git are left out. The first "
            f"{settings.search_limit} matching lines are shown unless `limit` says otherwise; it takes at most "
            f"{settings.search_deadline:g} s."
        )
        self.parameters = parameters(
            {
                "query": text("What to search for.", minLength=1),
                "path": text(f"The directory or file to search in. {PATH_RULES}", default="."),
                "glob": text("Only files that match, as `*.py` or `src/**/*.ts`; `!*.md` leaves files out."),
                "literal": flag("Take `query` as plain text, not as a regular expression."),
                "context": count("Lines to show around each match.", minimum=0, maximum=_MOST_CONTEXT, default=0),
                "limit": count("How many matching lines to show.", maximum=_MOST_MATCHES),
            },
            required=("query",),
        )

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        return (Subject(SubjectKind.PATH, arguments.get("path") or ".", Act.READ),)

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        return self._settings.search_deadline + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        query = self._query(call.arguments)
        try:
            found = await search_code(query, access_of(call.scope))
        except WorkspaceError as error:
            return refused_or_failed(self.name, error, query.path)
        cut = found.shown < found.total or found.incomplete
        return answer(self.name, _shown(found, query), query.path, truncated=cut, structured=_structured(found))

    def _query(self, arguments: Mapping[str, Json]) -> Query:
        return Query(
            text=arguments["query"],
            path=arguments.get("path") or ".",
            glob=arguments.get("glob") or None,
            literal=bool(arguments.get("literal")),
            context=arguments.get("context") or 0,
            limit=arguments.get("limit") or self._settings.search_limit,
            deadline=self._settings.search_deadline,
        )


def _shown(found: Found, query: Query) -> str:
    late = f"[Stopped after {query.deadline:g} s: there may be more. Narrow it with `path` or `glob`.]"
    if not found.lines:
        return late if found.incomplete else f"No match for {query.text!r} in {query.path}."
    notes: list[str] = []
    if found.shown < found.total:
        notes.append(
            f"[{found.shown} of {found.total} matching lines, in {found.files} files. Narrow it with `path`, `glob` or "
            "a more exact `query`, or raise `limit`.]"
        )
    if found.incomplete:
        notes.append(late)
    return "\n".join([*_formatted(found.lines), *notes])


def _formatted(lines: tuple[Line, ...]) -> list[str]:
    """As ripgrep prints them: `:` marks a match, `-` context, `--` a gap."""
    shown: list[str] = []
    with_context = any(not line.matched for line in lines)
    for before, line in pairwise((None, *lines)):
        assert line is not None
        gap = before is not None and (before.path != line.path or before.number + 1 != line.number)
        if gap and with_context:
            shown.append("--")
        mark = ":" if line.matched else "-"
        shown.append(f"{line.path}{mark}{line.number}{mark}{line.text}")
    return shown


def _structured(found: Found) -> dict[str, Json]:
    matches = [{"path": line.path, "line": line.number, "text": line.text} for line in found.lines if line.matched]
    return {"matches": matches, "total": found.total, "files": found.files, "complete": not found.incomplete}

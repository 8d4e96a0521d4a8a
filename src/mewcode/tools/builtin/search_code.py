"""The tool that searches file contents."""

from collections.abc import Mapping

from mewcode.calls import Access as Act
from mewcode.calls import Effects, Json, Subject, SubjectKind, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.schema import PATH_RULES, count, flag, parameters, text

_GRACE = 5.0
_MOST_MATCHES = 1_000
_MOST_CONTEXT = 20


class SearchCode(Tool):
    """ripgrep, in the same order each time."""

    name = "search_code"
    effects = Effects(reads=True)
    main_argument = "query"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        settings = bench.settings
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
        return self._bench.settings.search_deadline + _GRACE

    async def execute(self, call: ToolCall) -> ToolResult:
        from mewcode.tools.builtin.hands.searching import search

        return await search(self._bench, call)

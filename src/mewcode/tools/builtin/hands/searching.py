"""Searching file contents."""

from collections.abc import Mapping
from itertools import pairwise

from mewcode.calls import Json, ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.results import access_of, answer, refused_or_failed
from mewcode.workspace.code_search import Found, Query, search_code
from mewcode.workspace.search_engine import Line

_TOOL = "search_code"


async def search(bench: Bench, call: ToolCall) -> ToolResult:
    query = _query(bench, call.arguments)
    try:
        found = await search_code(query, access_of(call.scope))
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, query.path)
    cut = found.shown < found.total or found.incomplete
    return answer(_TOOL, _shown(found, query), query.path, truncated=cut, structured=_structured(found))


def _query(bench: Bench, arguments: Mapping[str, Json]) -> Query:
    return Query(
        text=arguments["query"],
        path=arguments.get("path") or ".",
        glob=arguments.get("glob") or None,
        literal=bool(arguments.get("literal")),
        context=arguments.get("context") or 0,
        limit=arguments.get("limit") or bench.settings.search_limit,
        deadline=bench.settings.search_deadline,
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

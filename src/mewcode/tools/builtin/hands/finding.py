"""Finding files by name."""

from mewcode.calls import ToolCall, ToolResult
from mewcode.errors import WorkspaceError
from mewcode.tools.builtin.bench import Bench
from mewcode.tools.builtin.hands.results import access_of, answer, refused_or_failed
from mewcode.workspace.finding import Files, find_files

_TOOL = "find_files"


async def find(bench: Bench, call: ToolCall) -> ToolResult:
    pattern, path = call.arguments["pattern"], call.arguments.get("path") or "."
    try:
        files = await find_files(
            pattern,
            access_of(call.scope),
            path=path,
            order=call.arguments.get("sort") or "newest",
            limit=bench.settings.find_limit,
            deadline=bench.settings.search_deadline,
        )
    except WorkspaceError as error:
        return refused_or_failed(_TOOL, error, path)
    structured = {"files": list(files.names), "total": files.total}
    cut = len(files.names) < files.total or files.incomplete
    return answer(_TOOL, _shown(files, pattern, path), path, truncated=cut, structured=structured)


def _shown(files: Files, pattern: str, path: str) -> str:
    lines = list(files.names) or [_nothing(pattern, path)]
    if (more := files.total - len(files.names)) > 0:
        lines.append(f"[{more} more files. Narrow it with `path` or a more exact `pattern`.]")
    if files.incomplete:
        lines.append("[The time was over before all files were seen.]")
    return "\n".join(lines)


def _nothing(pattern: str, path: str) -> str:
    """A word without a wildcard is mostly meant for what files contain; small models then believe it stands nowhere."""
    text = f"No file is named {pattern!r} in {path}."
    if any(sign in pattern for sign in "*?[{/."):
        return text
    return f"{text} Names holding it: `*{pattern}*`. Files that contain it: search_code."

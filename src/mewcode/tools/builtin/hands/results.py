"""How the built-in tools answer."""

from typing import Any

from mewcode.calls import ErrorKind, FileChange, Origin, Scope, ToolResult, Trust
from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.file_changes import Written
from mewcode.workspace.scope_errors import OutOfScopeError


def access_of(scope: Scope) -> Access:
    return Access(scope.roots, scope.read_only_roots, scope.read, scope.write)


def answer(tool: str, text: str, place: str | None, **more: Any) -> ToolResult:
    """What was found in the workspace: trusted as the workspace is. `more` are fields of the result."""
    return ToolResult.of_text(text, origin=Origin(tool, place=place), trust=Trust.WORKSPACE, **more)


def failure(tool: str, text: str, place: str | None, kind: ErrorKind = ErrorKind.TOOL_ERROR, **more: Any) -> ToolResult:
    return ToolResult.failed(kind, text, origin=Origin(tool, place=place), trust=Trust.WORKSPACE, **more)


def refused_or_failed(tool: str, error: WorkspaceError, place: str | None) -> ToolResult:
    """A path outside the scope is a refusal, anything else a failure of the tool."""
    kind = ErrorKind.REFUSED if isinstance(error, OutOfScopeError) else ErrorKind.TOOL_ERROR
    return failure(tool, str(error), place, kind)


def file_change(written: Written) -> FileChange:
    return FileChange(str(written.path), written.before, written.after)

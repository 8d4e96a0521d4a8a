"""The work itself: files, code search, processes, jobs, checkpoints, sandbox; safe by construction.

Each module is named for the one thing it does. What a caller may touch is an `Access`; everything starts from it.
"""

from mewcode.workspace.access import Access, ResolvedPath
from mewcode.workspace.scope_errors import OutOfScopeError

__all__ = ["Access", "OutOfScopeError", "ResolvedPath"]

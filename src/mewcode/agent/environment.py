"""Facts about where the agent works, told once at the start of a session."""

import platform
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

_MAX_HEAD_BYTES = 4_096


def environment_facts(workspace: Path, now: Callable[[], datetime] = datetime.now) -> str:
    """Working directory, git branch, platform and date, a line each."""
    lines = [
        f"Working directory: {workspace}",
        f"Git: {_git_state(workspace)}",
        f"Platform: {platform.system()} ({sys.platform}, {platform.machine()})",
        f"Date: {now().date().isoformat()}",
    ]
    return "\n".join(lines)


def repository_root(workspace: Path) -> Path | None:
    """The nearest folder at or above `workspace` that git calls its own."""
    return next((folder for folder in (workspace, *workspace.parents) if (folder / ".git").exists()), None)


def _git_state(workspace: Path) -> str:
    """Reads HEAD itself: running git would run what a hostile repository's settings name."""
    root = repository_root(workspace)
    if root is None:
        return "not a repository"
    try:
        head = _head_file(root / ".git").read_bytes()[:_MAX_HEAD_BYTES].decode("utf-8", "replace").strip()
    except OSError:
        return "a repository, its HEAD cannot be read"
    branch = head.removeprefix("ref: refs/heads/")
    shown = "".join(character for character in branch if character.isprintable())[:200]
    return f"on branch {shown}" if branch != head else f"detached at {shown[:12]}"


def _head_file(git: Path) -> Path:
    """HEAD of a repository, or of a worktree, whose `.git` is a file that points to its folder."""
    if git.is_dir():
        return git / "HEAD"
    pointer = git.read_bytes()[:_MAX_HEAD_BYTES].decode("utf-8", "replace").strip()
    folder = Path(pointer.removeprefix("gitdir:").strip())
    return (folder if folder.is_absolute() else git.parent / folder) / "HEAD"

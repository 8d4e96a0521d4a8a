"""What a command that failed says, and the exit code it ends with."""

import os
import sys
import traceback
from datetime import datetime, timezone
from pathlib import Path

from mewcode.cli.output import note
from mewcode.errors import MewCodeError
from mewcode.messages import message

INTERRUPTED = 130


def exit_code_of(failure: BaseException) -> int:
    """Tells the user what went wrong and returns the exit code. A defect of ours leaves its traceback in a file."""
    leaf = _first_leaf(failure)
    if isinstance(leaf, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(leaf, BrokenPipeError):
        return _reader_went_away()
    if isinstance(leaf, MewCodeError):
        note(message("cli.error", text=leaf))
        return leaf.exit_code
    note(message("cli.defect", kind=type(leaf).__name__, path=_save_traceback(failure)))
    return 1


def _first_leaf(failure: BaseException) -> BaseException:
    """The error inside the groups that task groups wrap around it; an error of ours first, if there is one."""
    inner: tuple[BaseException, ...] = getattr(failure, "exceptions", ())
    leaves = [_first_leaf(each) for each in inner]
    return next((leaf for leaf in leaves if isinstance(leaf, MewCodeError)), leaves[0] if leaves else failure)


def _reader_went_away() -> int:
    """`mewcode … | head` is no error. Standard output is pointed away so that the exit does not write to it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _save_traceback(failure: BaseException) -> str:
    from mewcode.config import Paths

    text = "".join(traceback.format_exception(failure))
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")
    path = Path(Paths.from_environment().logs) / f"crash-{stamp}-{os.getpid()}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, encoding="utf-8")
    except OSError:
        note(text)
        return "-"
    return str(path)

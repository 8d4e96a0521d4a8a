"""The way in: from a command line to its analysis, within bounds."""

from mewcode.governance.commands.analysis import Analysis


def analyse(line: str, *, cwd: str | None = None) -> Analysis:
    """What `line` would do when bash runs it in `cwd` (absolute; None: unknown)."""
    return Analysis(uncertain=("the command line is not analysed yet",))

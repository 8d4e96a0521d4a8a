"""The decision that the gate makes about a command line, reduced to command rules: for running cases for real."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from mewcode.governance.commands import Analysis, allows, analyse, matches


def decide(line: str, *, allow: Iterable[str], deny: Iterable[str] = (), cwd: str | None = None) -> str:
    """allow, ask or deny. Deny and ask look at every reading; allow needs every command allowed and nothing unclear."""
    return decide_analysis(analyse(line, cwd=cwd), allow=allow, deny=deny)


def decide_analysis(analysis: Analysis, *, allow: Iterable[str], deny: Iterable[str] = ()) -> str:
    if any(matches(pattern, command) for pattern in deny for command in analysis.commands):
        return "deny"
    if analysis.uncertain or analysis.starts_mewcode or any(use.hidden for use in analysis.writes):
        return "ask"
    patterns = tuple(allow)
    for command in analysis.commands:
        if not (command.transparent or any(allows(pattern, command) for pattern in patterns)):
            return "ask"
    return "allow"


def run_bash(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """As run_command runs it."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", line],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
    )

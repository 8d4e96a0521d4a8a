"""The way in: from a command line to its analysis, within bounds."""

from mewcode.governance.commands.analysis import Analysis
from mewcode.governance.commands.findings import LONGEST_LINE, BoundsError, Findings
from mewcode.governance.commands.flow import Flow


def analyse(line: str, *, cwd: str | None = None) -> Analysis:
    """What `line` would do when bash runs it in `cwd` (absolute; None: unknown) with its input closed.

    Never raises for what a line holds: what is not understood, too long or too deep is `uncertain`.
    """
    from mewcode.governance.commands.judge import judge
    from mewcode.governance.commands.walker import walk_text

    findings = Findings(cwd=cwd)
    if len(line.encode("utf-8", "surrogateescape")) > LONGEST_LINE:
        findings.doubt("too_long", most=LONGEST_LINE)
        return findings.analysis()
    try:
        walk_text(line, findings, judge, Flow())
    except (BoundsError, RecursionError):
        findings.doubt("too_complex")
    findings.finish()
    if findings.starts_mewcode:
        findings.doubt("starts_mewcode")
    return findings.analysis()

"""MewCode itself: no rule lets a command start it, or a session would answer its own questions."""

from mewcode.governance.commands.call import Call
from mewcode.governance.commands.program import Program, Table


def _mewcode(call: Call) -> None:
    call.walker.findings.starts_mewcode = True


PROGRAMS: Table = {"mewcode": Program(handler=_mewcode)}

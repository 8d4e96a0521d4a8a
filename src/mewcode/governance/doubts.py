"""Why a call that the rules allow is asked about again: what was read before, and what it would send out."""

from mewcode.governance.judgement import Judgement
from mewcode.governance.request import Request
from mewcode.governance.taint import Taint


class Doubts:
    """`escalate` is the setting trust.escalate."""

    def __init__(self, escalate: bool = True) -> None:
        self._escalate = escalate

    def about(self, request: Request, judgement: Judgement, taint: Taint) -> tuple[str, ...]:
        return ()

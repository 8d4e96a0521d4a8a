"""Why a call that the rules allow is asked about again: what was read before, and what it would send out."""

from collections.abc import Iterator

from mewcode.calls import Access, Effect
from mewcode.governance.judgement import Judgement
from mewcode.governance.redaction import Redactor
from mewcode.governance.request import Request, as_text
from mewcode.governance.rules.paths import is_inside
from mewcode.governance.taint import Reading, Taint

_REACHING = frozenset({"@network", "@upload", "@publish", "@push", "@deploy"})


class Doubts:
    """`escalate` is the setting trust.escalate."""

    def __init__(self, redactor: Redactor | None = None, escalate: bool = True) -> None:
        self._redactor = redactor or Redactor()
        self._escalate = escalate

    def about(
        self,
        request: Request,
        judgement: Judgement,
        taint: Taint,
        approved_at: int | None = None,
        unknown: str | None = None,
    ) -> tuple[str, ...]:
        """The reasons, as sentences; empty where there are none, or where somebody has dispelled them: by `--confirm`,
        or by approving this very call at a step (`approved_at`) after which nothing new was read. `unknown` says why
        the session may have read more than `taint` tells."""
        if judgement.confirmed:
            return ()
        reasons = list(self._secrets_sent(request)) if approved_at is None else []
        reading = self.reading_behind(request, judgement, taint) if self._escalate else None
        if reading is not None and (approved_at is None or reading.step > approved_at):
            reasons.append(taint.explain(reading))
        if unknown is not None and self._escalate and reading is None and _is_risky(request):
            reasons.append(unknown)
        return tuple(reasons)

    def reading_behind(self, request: Request, judgement: Judgement, taint: Taint) -> Reading | None:
        """The content that may have put the model up to the call, where the call is one that matters.

        After outside content: commands that act, writes outside the workspace, calls that send data out. A server's own
        content raises no doubt about calling that server or reading its resources again, unless the call destroys: it
        learns nothing it could not have asked for before. After content of the workspace, or of a server that only
        spoke of itself: the same, but only where no rule allows the call.
        """
        if not _is_risky(request):
            return None
        tame = request.server is not None and not request.effects.destructive and not judgement.risks
        external = taint.external(besides=request.server if tame else None)
        if external is not None:
            return external
        ruled = judgement.explicit or judgement.decision.rule is not None or judgement.effect is not Effect.ALLOW
        return None if ruled else taint.nearby()

    def _secrets_sent(self, request: Request) -> Iterator[str]:
        if request.server is None and not _sends(request):
            return
        for name, value in request.arguments.items():
            for kind in self._redactor.kinds(as_text(value)):
                yield f"the argument {name} holds what looks like a secret ({kind}), and it would leave this machine"


def _is_risky(request: Request) -> bool:
    outside = any(
        target.access is Access.WRITE and not is_inside(target, request.roots) for target in request.all_paths
    )
    return outside or _acts(request) or _sends(request)


def _acts(request: Request) -> bool:
    if request.commands:
        return not all(lines.reads_only for lines in request.commands)
    return request.effects.executes or request.effects.destructive


def _sends(request: Request) -> bool:
    """Whether arguments leave this machine: to a server that does more than read, to a URL, to another host."""
    if request.urls or request.hosts:
        return True
    if request.commands:
        return any(not _REACHING.isdisjoint(lines.classes) for lines in request.commands)
    return request.effects.network or (request.tool.server is not None and request.effects.writes)

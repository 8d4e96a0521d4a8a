"""May this call run? Denied, asked about, or let through with its scope filled in."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mewcode.calls import Answer, Effect, ErrorKind, Question, QuestionKind, RuleSuggestion, ToolResult
from mewcode.governance.doubts import Doubts
from mewcode.governance.judgement import Judgement
from mewcode.governance.loop_guard import is_polling
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.policy import Policy
from mewcode.governance.ports import PermitPorts
from mewcode.governance.preview import action_of, details_of
from mewcode.governance.questions import (
    Pending,
    QuestionStore,
    answers,
    fingerprint,
    is_confirmation,
    new_question_id,
)
from mewcode.governance.remember import remember_answer
from mewcode.governance.request import Request
from mewcode.governance.roles import Role
from mewcode.governance.rules.rule import Rule
from mewcode.governance.scope import scope_of
from mewcode.governance.sessions import Sessions
from mewcode.governance.taint import Taint
from mewcode.state.store import StoreUnavailableError


@dataclass(frozen=True)
class Known:
    """What judges a call of a session besides the call itself. `unknown` says why there may be more to it."""

    taint: Taint
    granted: tuple[Rule, ...] = ()
    approved: Mapping[str, int] = field(default_factory=dict[str, int])
    unknown: str | None = None


class Permit:
    """Never waits for a person: where somebody must be asked, the reply is a question, and the call comes again with
    the answer."""

    def __init__(
        self, policy: Policy, sessions: Sessions, questions: QuestionStore, doubts: Doubts, ports: PermitPorts
    ) -> None:
        self._policy = policy
        self._sessions = sessions
        self._questions = questions
        self._doubts = doubts
        self._ports = ports

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        known = await self._known(passage.call.session)
        request = self._request(passage, known)
        judgement = passage.judgement = self._policy.judge(request)
        if judgement.effect is Effect.DENY:
            return _refused(passage, judgement.decision.reason)
        approved = confirmed = False
        if passage.answer is not None:
            try:
                pending = await self._questions.take(passage.answer.question_id)
            except StoreUnavailableError as error:
                return _refused(passage, f"the answer cannot be checked: {error}")
            if why := self._unfit(passage, passage.answer, pending):
                return _refused(passage, why)
            assert pending is not None
            approved, confirmed = pending.approved or not is_confirmation(pending), is_confirmation(pending)
            self._ports.changes.accept(passage.resolved_tool)
            await remember_answer(passage.answer, pending.question, judgement, self._sessions, self._ports)
            passage.answered_by = passage.answer.answered_by or passage.call.principal.name
        reasons = () if approved or confirmed else self._reasons_to_ask(passage, request, judgement, known)
        if reasons:
            return await self._ask(passage, request, QuestionKind.APPROVAL, reasons, approved=False)
        if judgement.risks and not confirmed:
            return await self._ask(passage, request, QuestionKind.CONFIRMATION, judgement.risks, approved=True)
        passage.call = replace(passage.call, scope=scope_of(request, self._policy, judgement.role or Role("")))
        return await proceed(passage)

    async def _known(self, session: str) -> Known:
        """What the session is known to have read and to have been granted. Where other replicas cannot be asked, it may
        have read anything, and what was approved before is approved anew."""
        try:
            state = await self._sessions.recall(session)
        except StoreUnavailableError as error:
            return Known(self._sessions.of(session).taint, unknown=f"what this session has read is not known: {error}")
        return Known(state.taint, tuple(state.granted), state.approved)

    def _request(self, passage: Passage, known: Known) -> Request:
        call, state = passage.call, self._sessions.of(passage.call.session)
        return Request(
            tool=passage.resolved_tool,
            arguments=call.arguments,
            principal=call.principal,
            roots=self._ports.roots(call),
            readable=self._ports.readable(call),
            mode=state.mode,
            granted=known.granted,
            wary=state.wary,
        )

    def _reasons_to_ask(
        self, passage: Passage, request: Request, judgement: Judgement, known: Known
    ) -> tuple[str, ...]:
        """Why somebody must be asked before this call; empty where it may go on."""
        state = self._sessions.of(passage.call.session)
        mark = fingerprint(passage.call, passage.resolved_tool)
        if not is_polling(request.tool, request.arguments):
            state.loop.note(mark)
        if state.loop.is_looping:
            return (f"the same call came {state.loop.times} times in a row",)
        if self._ports.changes.waits(request.tool):
            return (f"the server {request.tool.server} has changed what this tool says of itself since it was allowed",)
        approved_at = known.approved.get(mark) if judgement.lasting else None
        doubts = self._doubts.about(request, judgement, known.taint, approved_at, known.unknown)
        if judgement.effect is Effect.ASK and approved_at is None:
            return (judgement.decision.reason, *doubts)
        return doubts

    def _unfit(self, passage: Passage, answer: Answer, pending: Pending | None) -> str | None:
        """Why the call may not go on with this answer."""
        if why := answers(answer, pending, passage.call, passage.resolved_tool):
            return why
        if answer.allow:
            return None
        return f"it was declined: {answer.comment}" if answer.comment else "it was declined"

    async def _ask(
        self, passage: Passage, request: Request, kind: QuestionKind, reasons: Sequence[str], *, approved: bool
    ) -> Reply:
        assert passage.judgement is not None
        call, tool, judgement = passage.call, passage.resolved_tool, passage.judgement
        if not self._sessions.of(call.session).mode.asks:
            passage.judgement = replace(judgement, decision=replace(judgement.decision, effect=Effect.DENY))
            return _refused(passage, f"{'; '.join(reasons)}; the mode auto never asks")
        lasting = judgement.lasting and kind is QuestionKind.APPROVAL and judgement.effect is Effect.ASK
        rule = judgement.suggestion if lasting else None
        question = Question(
            id=new_question_id(),
            kind=kind,
            call_id=call.id,
            session=call.session,
            principal=call.principal.name,
            tool=tool.original_name,
            server=tool.server,
            action=action_of(request),
            details=await details_of(request),
            reasons=tuple(reasons),
            decision=judgement.decision,
            fingerprint=fingerprint(call, tool),
            expires_at=time.time() + self._ports.good_for,
            suggestion=RuleSuggestion(rule, self._ports.rules_file) if rule else None,
        )
        try:
            await self._questions.put(Pending(question, approved))
        except StoreUnavailableError as error:
            return _refused(passage, f"{'; '.join(reasons)}, and nobody can be asked: {error}")
        return question


def _refused(passage: Passage, why: str) -> ToolResult:
    tool = passage.resolved_tool
    decision = passage.judgement.decision if passage.judgement else None
    rule = f" Rule: {decision.rule}." if decision and decision.rule else ""
    text = f"Refused: {tool.name} was not run, because {why}.{rule} Do not look for another way to do the same."
    return ToolResult.failed(ErrorKind.REFUSED, text, server=tool.server)

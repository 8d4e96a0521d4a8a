"""The audit, outermost: every call leaves a record, and one that runs leaves it before it runs."""

import logging
import uuid

import anyio

from mewcode.calls import ErrorKind, Question, ToolResult
from mewcode.errors import AuditError
from mewcode.governance.audit.port import AuditEnd, AuditEntry, AuditPort, Outcome
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.policy import Policy

_log = logging.getLogger(__name__)

_REFUSALS = frozenset({
    ErrorKind.REFUSED, ErrorKind.UNKNOWN_TOOL, ErrorKind.NOT_LOADED, ErrorKind.INVALID_ARGUMENTS,
    ErrorKind.RATE_LIMITED, ErrorKind.BREAKER_OPEN, ErrorKind.SERVER_MISSING,
})  # fmt: skip
_OUTCOMES = {
    ErrorKind.TOOL_ERROR: Outcome.TOOL_ERROR,
    ErrorKind.TIMEOUT: Outcome.TIMEOUT,
    ErrorKind.CANCELLED: Outcome.CANCELLED,
    ErrorKind.OUTCOME_UNKNOWN: Outcome.UNKNOWN,
}
END_WITHIN = 10.0
"""Seconds that the end of a cancelled call may take to be recorded."""


class Record:
    """Sees every call first and last. Whatever goes wrong inside becomes a result that gives nothing of it away."""

    def __init__(self, audit: AuditPort, policy: Policy) -> None:
        self._audit = audit
        self._policy = policy

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        try:
            reply = await proceed(passage)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True), anyio.move_on_after(END_WITHIN):
                await self._close(passage, AuditEnd(Outcome.CANCELLED, passage.seconds))
            raise
        except AuditError as error:
            # Nothing runs unrecorded, and there is nowhere to record that.
            return ToolResult.failed(ErrorKind.INTERNAL, str(error))
        except Exception:  # noqa: BLE001 - a defect of ours must not show its insides
            incident = uuid.uuid4().hex[:12]
            _log.exception("the gate failed on a call of %s (incident %s)", passage.call.tool, incident)
            reply = ToolResult.failed(ErrorKind.INTERNAL, f"The call failed inside MewCode (incident {incident}).")
        if isinstance(reply, Question):
            await self._note_question(passage, reply)
            return reply
        await self._close(passage, _end(reply, passage.seconds))
        return reply

    async def _close(self, passage: Passage, end: AuditEnd) -> None:
        try:
            if passage.handle is None:
                await self._audit.refuse(entry_of(passage, self._policy), end)
            else:
                await self._audit.end(passage.handle, end)
        except AuditError:
            _log.exception("the end of a call of %s was not recorded", passage.call.tool)

    async def _note_question(self, passage: Passage, question: Question) -> None:
        call = passage.call
        details = {
            "question": question.id,
            "kind": question.kind.value,
            "tool": question.tool,
            "server": question.server,
        }
        await self._audit.event(
            "question",
            principal=call.principal.name,
            door=call.principal.door.value,
            session=call.session,
            details={**details, "rule": question.decision.rule, "reasons": list(question.reasons)},
            counted_for=call.principal.name,
        )


class Begin:
    """Stores the begin record: only what is on record runs."""

    def __init__(self, audit: AuditPort, policy: Policy) -> None:
        self._audit = audit
        self._policy = policy

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        passage.handle = await self._audit.begin(entry_of(passage, self._policy))
        return await proceed(passage)


def entry_of(passage: Passage, policy: Policy) -> AuditEntry:
    """What the audit keeps of a call, as far as the stages came."""
    call, tool = passage.call, passage.tool
    decision = passage.judgement.decision if passage.judgement else None
    return AuditEntry(
        call_id=call.id,
        principal=call.principal.name,
        roles=call.principal.roles,
        door=call.principal.door.value,
        session=call.session,
        tool=tool.original_name if tool else call.tool,
        name=call.tool,
        server=tool.server if tool else None,
        arguments=call.arguments,
        effect=decision.effect.value if decision else None,
        rule=decision.rule if decision else None,
        rule_source=str(decision.source) if decision and decision.source else None,
        reason=decision.reason if decision else "",
        policy_hash=policy.hash,
        parent=call.parent,
        answered_by=passage.answered_by,
    )


def _end(result: ToolResult, seconds: float) -> AuditEnd:
    error = result.error
    if error is None:
        outcome = Outcome.TOOL_ERROR if result.is_error else Outcome.OK
    elif error.kind in _REFUSALS:
        outcome = Outcome.REFUSED
    else:
        outcome = _OUTCOMES.get(error.kind, Outcome.FAILED)
    size = len(result.text.encode("utf-8", "replace"))
    return AuditEnd(outcome, seconds, size, result.files, error.message if error else None)

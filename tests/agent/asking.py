"""A question as a gate would ask it."""

from mewcode.calls import Decision, Effect, Question, QuestionKind, RuleSuggestion, ToolCall


def question_about(call: ToolCall, expires_at: float = 4_000_000_000.0) -> Question:
    return Question(
        id=f"q-{call.id}",
        kind=QuestionKind.APPROVAL,
        call_id=call.id,
        session=call.session,
        principal=call.principal.name,
        tool=call.tool,
        server=None,
        action=f"run {call.tool}",
        details="",
        reasons=("asked by default",),
        decision=Decision(Effect.ASK, "asked by default"),
        fingerprint="f",
        expires_at=expires_at,
        suggestion=RuleSuggestion(f"{call.tool}(*)", ".mewcode.yaml"),
    )

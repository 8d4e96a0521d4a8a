"""What an answer leaves behind: nothing, an approval for the session, or a rule in a file."""

from mewcode.calls import Answer, Effect, Question, QuestionKind, Remember, Source
from mewcode.governance.judgement import Judgement
from mewcode.governance.ports import PermitPorts
from mewcode.governance.rules.parse import parse_rule
from mewcode.governance.rules.rule import Scope
from mewcode.governance.sessions import Sessions


async def remember_answer(
    answer: Answer, question: Question, judgement: Judgement, sessions: Sessions, ports: PermitPorts
) -> None:
    """Keeps an approval for as long as the answer says. A confirmation, and what a managed rule asks, is never kept."""
    state = sessions.of(question.session)
    state.loop.forgive()
    if not judgement.lasting or question.kind is QuestionKind.CONFIRMATION or answer.remember is Remember.ONCE:
        return
    state.approved[question.fingerprint] = state.taint.step
    if question.suggestion is not None:
        granted = parse_rule(question.suggestion.rule, Effect.ALLOW, source=Source(Scope.SESSION.value))
        if granted.text not in {rule.text for rule in state.granted}:
            state.granted.append(granted)
    await sessions.tell(question.session)
    if question.suggestion is not None and answer.remember is Remember.ALWAYS:
        await ports.remember(question.suggestion.rule, question.suggestion.file)

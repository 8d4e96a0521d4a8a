"""What a person is shown before a call goes through, and the keys that answer."""

from mewcode.calls import Question, QuestionKind, Remember
from mewcode.messages import message

CHOICES = {
    "y": (True, Remember.ONCE),
    "s": (True, Remember.SESSION),
    "a": (True, Remember.ALWAYS),
    "n": (False, Remember.ONCE),
}
"""Key: whether it allows, and for how long. What follows "n" on the line is a comment for the model."""


def describe(question: Question) -> str:
    """The question as lines of text: what would happen, why it is asked, and what "always" would write."""
    confirms = question.kind is QuestionKind.CONFIRMATION
    lines = [message("terminal.confirm_plain" if confirms else "terminal.ask_plain", action=question.action)]
    lines += [f"    {line}" for line in question.details.splitlines()]
    lines += [f"  {message('terminal.why', reason=reason)}" for reason in question.reasons]
    if question.decision.rule:
        rule, source = question.decision.rule, question.decision.source
        lines.append(f"  {message('terminal.rule', rule=rule, source=source)}")
    if question.suggestion:
        lines.append(message("terminal.always", rule=question.suggestion.rule, file=question.suggestion.file))
    return "\n".join(lines)

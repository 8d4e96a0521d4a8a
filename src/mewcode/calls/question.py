"""What the gate asks before it lets a call through, and what may be answered."""

from dataclasses import dataclass
from enum import Enum

from mewcode.calls.decision import Decision


class QuestionKind(str, Enum):
    APPROVAL = "approval"
    """A rule or a default says ask."""
    CONFIRMATION = "confirmation"
    """The second, distinct confirmation of a high-risk call."""


class Remember(str, Enum):
    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


@dataclass(frozen=True)
class RuleSuggestion:
    """The narrowest sensible rule that would spare this question, and the file it would be written to."""

    rule: str
    file: str


@dataclass(frozen=True)
class Question:
    """Good once, until `expires_at` (seconds since the epoch), for the call whose fingerprint it carries.

    `action` says what would happen in one line; `details` shows it whole (the resolved command, a unified diff);
    `reasons` say why it is asked, taint included.
    """

    id: str
    kind: QuestionKind
    call_id: str
    session: str
    principal: str
    tool: str
    server: str | None
    action: str
    details: str
    reasons: tuple[str, ...]
    decision: Decision
    fingerprint: str
    expires_at: float
    suggestion: RuleSuggestion | None = None

    @property
    def why(self) -> tuple[str, ...]:
        """What whoever is asked is told: the reasons, or the decision's own where there are none."""
        return self.reasons or (self.decision.reason,)


@dataclass(frozen=True)
class Answer:
    """The reply of somebody who may answer. `comment` goes to the model when the answer is no."""

    question_id: str
    fingerprint: str
    allow: bool
    remember: Remember = Remember.ONCE
    comment: str | None = None
    answered_by: str = ""

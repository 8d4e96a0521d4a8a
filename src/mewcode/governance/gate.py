"""The gate: the one road from a door to a tool."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mewcode.calls import Answer, Question, ToolCall, ToolResult
from mewcode.governance.audit.port import AuditPort
from mewcode.governance.doubts import Doubts
from mewcode.governance.limits import (
    Admission,
    Breaker,
    Deadlines,
    LimitRules,
    MemorySlots,
    MemoryWindow,
    RateWindow,
    Slots,
)
from mewcode.governance.passage import Next, Passage, Reply, Stage
from mewcode.governance.policy import Policy
from mewcode.governance.ports import PermitPorts
from mewcode.governance.questions import MemoryQuestions, QuestionStore
from mewcode.governance.redaction import Redactor
from mewcode.governance.sessions import Sessions
from mewcode.governance.stages import Admit, Begin, Permit, Record, Resolve, Run, Shape, Validate
from mewcode.governance.stages.resolve import Discovered, EverythingLoaded
from mewcode.governance.tool_changes import ToolChanges
from mewcode.state.memory_store import MemoryStore
from mewcode.tools import ToolRegistry


def _memory_breaker() -> Breaker:
    return Breaker(MemoryStore())


@dataclass(frozen=True)
class GateParts:
    """What the gate is made of; whatever is left out works in memory."""

    registry: ToolRegistry
    policy: Policy
    audit: AuditPort
    ports: PermitPorts
    discovered: Discovered = field(default_factory=EverythingLoaded)
    sessions: Sessions = field(default_factory=Sessions)
    questions: QuestionStore = field(default_factory=MemoryQuestions)
    redactor: Redactor = field(default_factory=Redactor)
    escalate: bool = True
    limits: LimitRules = field(default_factory=LimitRules)
    window: RateWindow = field(default_factory=MemoryWindow)
    slots: Slots = field(default_factory=MemorySlots)
    breaker: Breaker = field(default_factory=_memory_breaker)
    deadlines: Deadlines = field(default_factory=Deadlines)


class Gate:
    """The only caller of `Tool.execute`. Never waits for a person: a call that wants an answer returns a question."""

    def __init__(self, parts: GateParts) -> None:
        self._parts = parts
        self.sessions = parts.sessions
        doubts = Doubts(parts.redactor, parts.escalate)
        admission = Admission(parts.limits, parts.policy.bounds.roles, parts.window, parts.slots)
        self._road = _road(
            [
                Record(parts.audit, parts.policy),
                Resolve(parts.registry, parts.policy.visible),
                Validate(parts.discovered),
                Permit(parts.policy, parts.sessions, parts.questions, doubts, parts.ports),
                Admit(admission, parts.breaker, parts.registry),
                Shape(parts.redactor, parts.sessions),
                Begin(parts.audit, parts.policy),
                Run(parts.deadlines),
            ]
        )

    @property
    def policy(self) -> Policy:
        return self._parts.policy

    @property
    def breaker(self) -> Breaker:
        """The circuit breakers of the servers, to be looked at."""
        return self._parts.breaker

    @property
    def changes(self) -> ToolChanges:
        """Where it is noted that a server has changed a tool."""
        return self._parts.ports.changes

    async def call(self, call: ToolCall, answer: Answer | None = None) -> ToolResult | Question:
        """Runs the call, refuses it, or asks; `answer` answers the question of an earlier try of the same call.

        Everything that can go wrong is a result with an error. Only cancellation comes through as an exception.
        """
        return await self._road(Passage(call, answer))

    async def end_session(self, session: str) -> None:
        """Lets go of everything that the gate and the tools keep for a session."""
        self.sessions.end(session)
        await self._parts.questions.end_session(session)
        for tool in self._parts.registry:
            await tool.end_session(session)


def _road(stages: Sequence[Stage]) -> Next:
    """The stages, each wrapping those after it."""
    road: Next = _nowhere
    for stage in reversed(stages):
        road = _before(stage, road)
    return road


def _before(stage: Stage, rest: Next) -> Next:
    async def step(passage: Passage) -> Reply:
        return await stage(passage, rest)

    return step


async def _nowhere(passage: Passage) -> Reply:
    raise AssertionError("the last stage runs the tool and does not go on")

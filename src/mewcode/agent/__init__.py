"""The loop between the person, the model and the gate: context, sessions and events.

Importing this package is cheap; what speaks to models is loaded at the first turn.
"""

from mewcode.agent.events import (
    Compacted,
    Event,
    MessageTaken,
    Notice,
    NoticeLevel,
    QuestionAsked,
    Refusal,
    TextDelta,
    TextFinished,
    TextVoided,
    ThinkingDelta,
    ToolCallFinished,
    ToolCallOutput,
    ToolCallProgress,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
    UsageUpdated,
)
from mewcode.agent.limits import Limits, Spent
from mewcode.agent.loop import Agent
from mewcode.agent.ports import AgentOptions, AgentPorts
from mewcode.agent.reminders import servers_reminder
from mewcode.agent.render import Rendered, render_for_model
from mewcode.agent.render import clean as render_clean
from mewcode.agent.sessions import Session, SessionStore, SessionSummary
from mewcode.agent.user_message import UserMessage

__all__ = [
    "Agent",
    "AgentOptions",
    "AgentPorts",
    "Compacted",
    "Event",
    "Limits",
    "MessageTaken",
    "Notice",
    "NoticeLevel",
    "QuestionAsked",
    "Refusal",
    "Rendered",
    "Session",
    "SessionStore",
    "SessionSummary",
    "Spent",
    "TextDelta",
    "TextFinished",
    "TextVoided",
    "ThinkingDelta",
    "ToolCallFinished",
    "ToolCallOutput",
    "ToolCallProgress",
    "ToolCallStarted",
    "TurnFinished",
    "TurnStarted",
    "TurnStatus",
    "UsageUpdated",
    "UserMessage",
    "render_clean",
    "render_for_model",
    "servers_reminder",
]

"""What travels between the doors, the gate and the hands: calls, results, questions and who asks them.

Frozen dataclasses with no behaviour beyond small constructors. This package imports nothing of MewCode.
"""

from mewcode.calls.call import Channel, Json, Round, Scope, SilentChannel, ToolCall
from mewcode.calls.content import Audio, Content, EmbeddedResource, Image, ResourceLink, Text
from mewcode.calls.decision import Decision, Effect, Source
from mewcode.calls.effects import Access, Effects, Subject, SubjectKind
from mewcode.calls.principal import Door, Principal
from mewcode.calls.question import Answer, Question, QuestionKind, Remember, RuleSuggestion
from mewcode.calls.result import CallError, ErrorKind, FileChange, Origin, ToolResult, Trust

__all__ = [
    "Access",
    "Answer",
    "Audio",
    "CallError",
    "Channel",
    "Content",
    "Decision",
    "Door",
    "Effect",
    "Effects",
    "EmbeddedResource",
    "ErrorKind",
    "FileChange",
    "Image",
    "Json",
    "Origin",
    "Principal",
    "Question",
    "QuestionKind",
    "Remember",
    "ResourceLink",
    "Round",
    "RuleSuggestion",
    "Scope",
    "SilentChannel",
    "Source",
    "Subject",
    "SubjectKind",
    "Text",
    "ToolCall",
    "ToolResult",
    "Trust",
]

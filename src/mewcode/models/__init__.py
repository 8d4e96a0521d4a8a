"""Which language model, from which provider: one interface over all of them.

Importing this package imports no provider's SDK; `open_model` and the first request do.
"""

from mewcode.models.events import (
    Finished,
    ModelEvent,
    Retrying,
    SwitchedModel,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
    Usage,
)
from mewcode.models.interface import LanguageModel, ModelInput, ModelProfile, Thinking, ToolSpec

__all__ = [
    "Finished",
    "LanguageModel",
    "ModelEvent",
    "ModelInput",
    "ModelProfile",
    "Retrying",
    "SwitchedModel",
    "TextDelta",
    "Thinking",
    "ThinkingDelta",
    "ToolCallStarted",
    "ToolSpec",
    "Usage",
]

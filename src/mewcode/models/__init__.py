"""Which language model, from which provider: one interface over all of them.

Importing this package imports no provider's SDK; `open_model` and the first request do.
"""

from mewcode.models.choice import ModelChoice, choose_model
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
from mewcode.models.opening import open_model, warm

__all__ = [
    "Finished",
    "LanguageModel",
    "ModelChoice",
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
    "choose_model",
    "open_model",
    "warm",
]

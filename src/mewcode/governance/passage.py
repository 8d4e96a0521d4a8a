"""A call on its way through the gate, and the shape of a stage."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from mewcode.calls import Answer, Question, ToolCall, ToolResult
from mewcode.governance.audit.port import AuditHandle
from mewcode.governance.judgement import Judgement
from mewcode.tools import Tool

Reply: TypeAlias = ToolResult | Question
Next: TypeAlias = Callable[["Passage"], Awaitable[Reply]]
Stage: TypeAlias = Callable[["Passage", Next], Awaitable[Reply]]


@dataclass
class Passage:
    """What the stages have found out so far. Each stage fills in its own part and reads those before it."""

    call: ToolCall
    answer: Answer | None = None
    tool: Tool | None = None
    judgement: Judgement | None = None
    handle: AuditHandle | None = None
    answered_by: str | None = None
    begun: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def resolved_tool(self) -> Tool:
        """The tool, for the stages after `resolve`."""
        assert self.tool is not None, "the resolve stage comes first"
        return self.tool

"""The tool that keeps the agent's list of things to do."""

from typing import Any

from mewcode.calls import Origin, ToolCall, ToolResult
from mewcode.tools.base import Tool
from mewcode.tools.builtin.schema import parameters, text

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}
_MOST_ITEMS = 100


class Todo(Tool):
    """One list for each session; a call replaces it whole, a call without items shows it."""

    name = "todo"
    description = (
        "Keeps your list of steps for work of several steps. Send the whole list each time something changes: one item "
        "is `in_progress`, finished ones are `done`. Without `items` it shows the list."
    )
    parameters = parameters(
        {
            "items": {
                "type": "array",
                "description": "The whole list, in order.",
                "maxItems": _MOST_ITEMS,
                "items": parameters(
                    {
                        "content": text("What is to be done.", minLength=1, maxLength=500),
                        "status": text("How far it is.", enum=list(_MARKS), default="pending"),
                    },
                    required=("content",),
                ),
            }
        }
    )

    def __init__(self) -> None:
        self._sessions: dict[str, tuple[dict[str, str], ...]] = {}

    def items(self, session: str) -> tuple[dict[str, str], ...]:
        """The session's list: `content` and `status` of each item, for screens."""
        return self._sessions.get(session, ())

    async def execute(self, call: ToolCall) -> ToolResult:
        if "items" in call.arguments:
            given: list[dict[str, Any]] = call.arguments["items"]
            self._sessions[call.session] = tuple(
                {"content": item["content"], "status": item.get("status", "pending")} for item in given
            )
        items = self.items(call.session)
        lines = [f"{_MARKS[item['status']]} {item['content']}" for item in items]
        structured = {"items": [dict(item) for item in items]}
        return ToolResult.of_text(
            "\n".join(lines) or "The list is empty.", structured=structured, origin=Origin(self.name)
        )

    async def end_session(self, session: str) -> None:
        self._sessions.pop(session, None)

"""Arguments against the tool's schema: what does not fit is answered with the field and the reason."""

import json
from typing import TYPE_CHECKING

from mewcode.calls import ErrorKind, ToolResult
from mewcode.governance.passage import Next, Passage, Reply
from mewcode.governance.stages.resolve import Discovered

if TYPE_CHECKING:
    from mewcode.tools import Tool


class Validate:
    """Answers a deferred tool that the session never loaded with its schema, and a bad argument with its field."""

    def __init__(self, discovered: Discovered) -> None:
        self._discovered = discovered

    async def __call__(self, passage: Passage, proceed: Next) -> Reply:
        call, tool = passage.call, passage.resolved_tool
        if tool.deferred and not tool.called_unseen and not await self._is_loaded(call.session, tool):
            self._discovered.load(call.session, tool)
            await self._discovered.share(call.session)
            return _not_loaded(tool)
        problems = await _problems(passage)
        if problems:
            listed = "\n".join(f"- {problem}" for problem in problems)
            return ToolResult.failed(ErrorKind.INVALID_ARGUMENTS, f"The arguments of {tool.name} do not fit:\n{listed}")
        reply = await proceed(passage)
        await self._discovered.share(call.session)  # the call may have been a search
        return reply

    async def _is_loaded(self, session: str, tool: "Tool") -> bool:
        if self._discovered.is_loaded(session, tool):
            return True
        await self._discovered.recall(session)
        return self._discovered.is_loaded(session, tool)


async def _problems(passage: Passage) -> list[str]:
    from mewcode.governance.schema import problems_of

    return problems_of(passage.resolved_tool.parameters, passage.call.arguments)


def _not_loaded(tool: "Tool") -> ToolResult:
    schema = json.dumps(tool.model_parameters, ensure_ascii=False, default=str)
    text = (
        f"{tool.name} was not loaded yet; it is now, and nothing was done. Call it again with arguments that fit.\n"
        f"Description: {tool.description}\nParameters (JSON Schema): {schema}"
    )
    return ToolResult.failed(ErrorKind.NOT_LOADED, text, server=tool.server)

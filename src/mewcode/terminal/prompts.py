"""`/mcp:server:prompt`: a prompt that a server has prepared, sent as a message."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


async def send_prompt(session: "Session", line: str) -> None:
    return

"""`@file` and `@server:resource` in a message: read through the gate, and put beside it for the model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mewcode.app.mentions import MOST, mentioned
from mewcode.calls import Image, ToolCall
from mewcode.messages import message
from mewcode.terminal.call_lines import finished_line

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


@dataclass(frozen=True)
class Fetched:
    """`texts` are for the model, fenced where they come from outside."""

    texts: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()


async def fetch_mentions(session: "Session", text: str) -> Fetched:
    """What the model should get with the message. What cannot be read says why on the screen."""
    app, agent, screen = session.household.app, session.agent, session.screen
    if app is None or agent is None or "@" not in text:
        return Fetched()
    texts: list[str] = []
    images: list[Image] = []
    found = list(mentioned(text, app.workspace, app.servers.servers))
    for mention in found[:MOST]:
        call = ToolCall(mention.tool, mention.arguments, agent.session.id, app.principal)
        result = await session.asker.through(app.gate, call)
        screen.print(finished_line(f"@{mention.shown}", result, 0.0, screen.width, screen.ink))
        if not result.is_error:
            images += [block for block in result.content if isinstance(block, Image)]
            head = f"Content of @{mention.shown}, which the message mentions:"
            texts.append(f"{head}\n{app.for_model(agent.session.id, result)}")
    if len(found) > MOST:
        screen.print(message("mentions.too_many", most=MOST, count=len(found)), "warn")
    return Fetched(tuple(texts), tuple(images))

"""`/mcp:server:prompt key=value`: a prompt that a server has prepared, fetched through the gate, sent as a message."""

import shlex
from typing import TYPE_CHECKING

from mewcode.calls import ToolCall
from mewcode.messages import message
from mewcode.terminal.said import Said
from mewcode.terminal.slash import meaning

if TYPE_CHECKING:
    from mewcode.terminal.offers import Offers
    from mewcode.terminal.session import Session


async def send_prompt(session: "Session", line: str) -> None:
    """Shows what is wrong with `line`, or sends what the server answers."""
    await session.household.ready.wait()
    app, agent = session.household.app, session.agent
    parsed = _parsed(line, session.completer.offers)
    if parsed is None or app is None or agent is None:
        session.screen.print(message("terminal.prompt_form"), "bad")
        return
    server, name, given = parsed
    arguments = {"server": server, "prompt": name, "arguments": given}
    result = await session.asker.through(app.gate, ToolCall("get_prompt", arguments, agent.session.id, app.principal))
    if result.is_error:
        why = result.error.message if result.error else result.text
        session.screen.print(message("terminal.prompt_failed", name=f"{server}:{name}", why=why), "bad")
        return
    session.turns.say(Said(line, (meaning(line, app.for_model(agent.session.id, result)),)))


def _parsed(line: str, offers: "Offers") -> tuple[str, str, dict[str, str]] | None:
    """Server, prompt and arguments: `name=value`, or values alone in the order in which the prompt names them."""
    try:
        head, *words = shlex.split(line)
    except ValueError:
        return None
    parts = head.removeprefix("/").split(":", 2)
    if len(parts) != 3 or not all(parts):
        return None
    prompt = offers.prompt(head.removeprefix("/"))
    names = [one.name for one in prompt.arguments] if prompt else []
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or (names and name not in names):
            name, value = next((one for one in names if one not in given), ""), word
        if not name:
            return None
        given[name] = value
    return parts[1], parts[2], given

"""`/mcp:server:prompt key=value`: a prompt that a server has prepared, fetched through the gate, sent as a message."""

import shlex
from typing import TYPE_CHECKING

from mewcode.calls import ToolCall
from mewcode.messages import message
from mewcode.terminal.said import Said
from mewcode.terminal.slash import meaning

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


async def send_prompt(session: "Session", line: str) -> None:
    """Shows what is wrong with `line`, or sends what the server answers."""
    await session.household.ready.wait()
    app, agent = session.household.app, session.agent
    parsed = _parsed(line)
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


def _parsed(line: str) -> tuple[str, str, dict[str, str]] | None:
    try:
        head, *words = shlex.split(line)
    except ValueError:
        return None
    parts = head.removeprefix("/").split(":", 2)
    pairs = [word.partition("=") for word in words]
    if len(parts) != 3 or not all(parts) or not all(key and equals for key, equals, _ in pairs):
        return None
    return parts[1], parts[2], {key: value for key, _, value in pairs}

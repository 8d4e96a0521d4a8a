"""The error by which a server of the old era says that the person has to visit a page first (-32042)."""

from collections.abc import Mapping
from typing import Any, cast

from mewcode.mcp.errors import RpcError
from mewcode.mcp.ports import Elicitation
from mewcode.mcp.voice import ServerVoice


async def visit_urls(voice: ServerVoice, error: RpcError) -> str:
    """Shows the person each page and returns what the model is told."""
    data = cast(Mapping[str, Any], error.data) if isinstance(error.data, dict) else {}
    wanted = data.get("elicitations")
    answers: list[str] = []
    for entry in cast(list[Any], wanted) if isinstance(wanted, list) else []:
        if isinstance(entry, dict) and isinstance(cast(dict[str, Any], entry).get("url"), str):
            page = cast(dict[str, Any], entry)
            request = Elicitation(voice.server, str(page.get("message") or error.message), "url", url=page["url"])
            answers.append((await voice.elicit(request)).action)
    if answers and all(answer == "accept" for answer in answers):
        return "The server first needed the user to visit a page, and the user agreed. Call the tool again."
    return f"The server needs the user to visit a page first ({error.message}), and that was declined."

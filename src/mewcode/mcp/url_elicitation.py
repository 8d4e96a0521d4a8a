"""The error by which a server of the old era says that the person has to visit a page first (-32042)."""

from mewcode.mcp.errors import RpcError
from mewcode.mcp.ports import Elicitation
from mewcode.mcp.shapes import as_list, as_object, as_text
from mewcode.mcp.voice import ServerVoice


async def visit_urls(voice: ServerVoice, error: RpcError) -> str:
    """Shows the person each page and returns what the model is told."""
    answers: list[str] = []
    for entry in as_list(as_object(error.data).get("elicitations")):
        page = as_object(entry)
        if (url := as_text(page.get("url"))) is not None:
            request = Elicitation(voice.server, as_text(page.get("message")) or error.message, "url", url=url)
            answers.append((await voice.elicit(request)).action)
    if answers and all(answer == "accept" for answer in answers):
        return "The server first needed the user to visit a page, and the user agreed. Call the tool again."
    return f"The server needs the user to visit a page first ({error.message}), and that was declined."

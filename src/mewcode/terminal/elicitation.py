"""Servers' questions to the person, as the host's port for them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mewcode.calls import ToolCall
    from mewcode.mcp.ports import Elicitation, ElicitationAnswer
    from mewcode.terminal.session import Session


class TerminalElicitation:
    """Each question waits in the queue of panels with the gate's own. Cancelling takes it off the screen."""

    def __init__(self, session: "Session") -> None:
        self._session = session

    async def ask(self, request: "Elicitation", call: "ToolCall | None") -> "ElicitationAnswer":
        from mewcode.terminal.forms import FormPanel, UrlPanel

        panel = UrlPanel(request, open_page) if request.mode == "url" else FormPanel(request)
        self._session.notify(f"{request.server}: {request.message}")
        return await self._session.screen.answer_of(panel, panel.answer)


def open_page(url: str) -> bool:
    """Only web pages: another scheme could start a program."""
    import webbrowser
    from urllib.parse import urlsplit

    return urlsplit(url).scheme in ("https", "http") and webbrowser.open(url)

"""What a server asks the person: a form, field by field, or a page to visit. The server's name is always there."""

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from mewcode.mcp.ports import Elicitation, ElicitationAnswer
from mewcode.messages import message
from mewcode.terminal.cleaning import bare, bare_line
from mewcode.terminal.form_fields import Field, fields_of
from mewcode.terminal.live import Fragments
from mewcode.terminal.panel import Panel
from mewcode.terminal.width import cut, hang, wrap


class ServerPanel(Panel):
    """What both kinds have in common; `answer` is ready once."""

    def __init__(self, request: Elicitation) -> None:
        super().__init__()
        self.request = request
        self.answer: asyncio.Future[ElicitationAnswer] = asyncio.get_running_loop().create_future()

    def finish(self, answer: ElicitationAnswer) -> None:
        self.done = True
        if not self.answer.done():
            self.answer.set_result(answer)

    def head(self, width: int) -> Fragments:
        said = cut(bare_line(self.request.message), width * 3)
        asks = message("terminal.server_asks", server=bare_line(self.request.server))
        return [
            ("class:warn bold", wrap(asks, width - 1)),
            ("", "\n"),
            ("", f"{hang(said, '  ', width)}\n"),
        ]


class FormPanel(ServerPanel):
    """Enter takes a field and goes on; an empty field takes its default; Escape asks whether to leave."""

    def __init__(self, request: Elicitation) -> None:
        super().__init__(request)
        self.typing = True
        self._fields = fields_of(request.schema)
        self._values: dict[str, Any] = {}
        self._index = 0
        self._problem = ""

    @property
    def _field(self) -> Field | None:
        return self._fields[self._index] if self._index < len(self._fields) else None

    def key(self, key: str) -> None:
        if key == "escape":
            self.finish(ElicitationAnswer("cancel"))
        elif key == "up" and self._index > 0:
            self._index, self.text, self._problem = self._index - 1, "", ""
        elif key == "backspace":
            self.text = self.text[:-1]
        elif key == "enter":
            self._enter()
        elif key not in ("up", "down", "left", "right", "tab"):
            self.text += key

    def _enter(self) -> None:
        field = self._field
        if field is None:
            self._decide()
            return
        if not self.text.strip() and field.default is not None:
            value, problem = field.default, None
        else:
            value, problem = field.parse(self.text)
        self._problem = problem or ""
        if problem is None:
            self._values.pop(field.name, None)
            if value is not None:
                self._values[field.name] = value
            self._index, self.text = self._index + 1, ""

    def _decide(self) -> None:
        """Behind the last field: Enter or y sends, n declines."""
        if self.text.strip().lower() in ("", "y", "yes", "是"):
            self.finish(ElicitationAnswer("accept", dict(self._values)))
        else:
            self.finish(ElicitationAnswer("decline"))

    def fragments(self, width: int) -> Fragments:
        pieces = self.head(width)
        if not self.armed and not self._values and not self.text:
            return [*pieces, ("class:dim", f"  {message('terminal.hold_on')}\n")]
        for index, field in enumerate(self._fields[: self._index + 1]):
            pieces += self._line(field, width) if index == self._index else self._done_line(field, width)
        if self._field is None:
            pieces += [("bold", f"  {message('terminal.form_send', server=self.request.server)} "), ("", self.text)]
            pieces += [("reverse", " "), ("", "\n")]
        if self._problem:
            pieces.append(("class:bad", f"  {cut(self._problem, width - 3)}\n"))
        return [*pieces, ("class:dim", cut(f"  {message('terminal.form_keys')}", width - 1)), ("", "\n")]

    def _line(self, field: Field, width: int) -> Fragments:
        star = " *" if field.required else ""
        pieces: Fragments = []
        if field.about:
            pieces.append(("class:dim", f"  {cut(field.about, width - 3)}\n"))
        for number, (_, shown) in enumerate(field.choices, 1):
            pieces.append(("", f"    {number} {cut(shown, width - 8)}\n"))
        default = f" [{field.shown_default()}]" if field.default is not None else ""
        kind = " (y/n)" if field.kind == "boolean" else ""
        pieces += [("bold", f"  {field.title}{star}"), ("class:dim", f"{kind}{default}: ")]
        return [*pieces, ("class:accent", self.text), ("reverse", " "), ("", "\n")]

    def _done_line(self, field: Field, width: int) -> Fragments:
        return [("class:dim", cut(f"  {field.title}: {self._values.get(field.name, '-')}", width - 1)), ("", "\n")]


class UrlPanel(ServerPanel):
    """A page to visit. The whole address is shown, its host by itself; nothing is opened unless the person says so."""

    def __init__(self, request: Elicitation, open_page: Callable[[str], bool]) -> None:
        super().__init__(request)
        self._open = open_page

    def key(self, key: str) -> None:
        if key in ("o", "O"):
            self._open(self.request.url)
        elif key in ("y", "Y"):
            self.finish(ElicitationAnswer("accept"))
        elif key in ("n", "N"):
            self.finish(ElicitationAnswer("decline"))
        elif key == "escape":
            self.finish(ElicitationAnswer("cancel"))

    def takes(self, key: str) -> bool:
        return key.lower() in ("o", "y", "n")

    def line(self, text: str) -> None:
        self.key(text.strip()[:1].lower())

    def fragments(self, width: int) -> Fragments:
        url = bare(self.request.url)
        host = urlsplit(url).hostname or "?"
        keys = message("terminal.url_keys") if self.armed else message("terminal.hold_on")
        return [
            *self.head(width),
            ("bold", f"  {message('terminal.url_host', host=host)}\n"),
            ("class:accent", f"  {url}\n"),
            ("class:dim", f"  {keys}\n"),
        ]

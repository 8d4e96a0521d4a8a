"""Completion of what is being typed: commands at the start, files and resources behind an @."""

import asyncio
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from mewcode.terminal.file_names import FileNames
from mewcode.terminal.offers import Offers

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.mcp.prompts import PromptInfo
    from mewcode.terminal.session import Session

VALUE_SECONDS = 2.0
TRIES, TRY_SECONDS = 3, 0.3
_MENTION = re.compile(r"(?:^|(?<=\s))@(\"?)([^\s\"]*)$")


class SessionCompleter(Completer):
    """Works in a thread of its own, so that no listing ever holds up a key."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._files = FileNames(session.start.workspace)
        self.offers = Offers()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor
        if before.startswith("/") and "\n" not in before:
            yield from self._commands(before)
        elif (mention := _MENTION.search(before)) is not None:
            yield from self._mentions(mention.group(2), mention.group(1))

    def _commands(self, before: str) -> Iterator[Completion]:
        word = before[1:]
        if " " in word:
            yield from self._arguments(word)
            return
        from mewcode.terminal.slash import completions_of

        for name, about in completions_of(self._session, word):
            yield Completion(name, start_position=-len(word), display=f"/{name}", display_meta=about)
        self._renew_offers()
        for prompt in self.offers.prompts:
            name = f"mcp:{prompt.server}:{prompt.name}"
            if name.startswith(word) or (len(word) > 1 and word in prompt.name):
                places = " ".join(f"{one.name}=" if one.required else f"[{one.name}=]" for one in prompt.arguments)
                about = f"{places} {prompt.description or prompt.title or ''}".strip()
                yield Completion(name, start_position=-len(word), display=f"/{name}", display_meta=about)

    def _arguments(self, line: str) -> Iterator[Completion]:
        """Arguments of a server's prompt that are not given yet, and what the server knows of their values."""
        name, _, rest = line.partition(" ")
        typed = rest.rpartition(" ")[2]
        prompt = self.offers.prompt(name)
        if prompt is None:
            return
        argument, equals, value = typed.partition("=")
        if equals:
            for one in self._values(prompt, argument, value):
                yield Completion(shlex.quote(one), start_position=-len(value), display=one)
            return
        for one in prompt.arguments:
            if one.name.startswith(typed) and f"{one.name}=" not in rest:
                yield Completion(f"{one.name}=", start_position=-len(typed), display_meta=one.description)

    def _values(self, prompt: "PromptInfo", argument: str, value: str) -> list[str]:
        """Asks the server, from this thread; one that does not answer soon has nothing to say."""
        from mewcode.mcp.prompts import complete

        app = self._session.household.app
        if app is None:
            return []
        asking = complete(
            app.servers.connection(prompt.server), {"name": prompt.name}, argument, value, {}, VALUE_SECONDS
        )
        try:
            return asyncio.run_coroutine_threadsafe(asking, self._session.loop).result(VALUE_SECONDS + 1)
        except Exception:  # noqa: BLE001 - whatever goes wrong between a server and a suggestion is no news
            return []

    def _mentions(self, typed: str, quote: str) -> Iterator[Completion]:
        self._renew_offers()
        for one in self.offers.resources:
            name = f"{one.server}:{one.uri}"
            if not one.template and typed.casefold() in name.casefold():
                about = one.title or one.name
                yield Completion(name, start_position=-len(typed), display=f"@{name}", display_meta=about)
        for name in self._files.matching(typed):
            written = f'"{name}"' if " " in name and not quote else name
            yield Completion(written, start_position=-len(typed), display=name)

    def _renew_offers(self) -> None:
        """May be called in any thread."""
        app = self._session.household.app
        if app is not None and self.offers.stale(app):
            self._session.loop.call_soon_threadsafe(lambda: self._session.work.now(lambda: self.refresh(app)))

    async def refresh(self, app: "App") -> None:
        """Completes again with what the servers said, where the person is still at it."""
        await self.offers.refresh(app)
        buffer = self._session.screen.composer.buffer
        completing = buffer.complete_state is not None and buffer.complete_state.completions
        if (self.offers.resources or self.offers.prompts) and buffer.text and not completing:
            typed = buffer.text
            for _ in range(TRIES):  # nothing begins while a completion still runs that knew less
                buffer.start_completion()
                await asyncio.sleep(TRY_SECONDS)
                if buffer.text != typed or buffer.complete_state is not None:
                    return

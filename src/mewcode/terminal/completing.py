"""Completion of what is being typed: commands at the start, files and resources behind an @."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


class SessionCompleter(Completer):
    def __init__(self, session: "Session") -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor
        if before.startswith("/") and " " not in before and "\n" not in before:
            from mewcode.terminal.slash import completions_of

            for name, about in completions_of(self._session, before[1:]):
                yield Completion(name, start_position=1 - len(before), display=f"/{name}", display_meta=about)

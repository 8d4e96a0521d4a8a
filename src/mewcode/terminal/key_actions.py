"""What the session does when a key asks for it."""

import time
from typing import TYPE_CHECKING

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

QUIT_SECONDS = 2.0


class KeyActions:
    """The actions that `keys` binds to keys."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._last_quit = 0.0

    def escape(self) -> None:
        """Stops the turn; takes back a message that waits; else nothing."""
        session = self._session
        if session.agent is not None and session.agent.busy:
            session.agent.interrupt()
        elif not self.take_back() and session.work.busy:
            session.work.cancel()

    def escape_twice(self) -> None:
        session = self._session
        if session.agent is None or session.agent.busy or session.work.busy:
            self.escape()
        elif session.screen.composer.text:
            session.screen.composer.clear()
        else:
            session.submit("/rewind")

    def take_back(self) -> bool:
        """Whether a message that the agent has not got yet is in the line again."""
        session = self._session
        text = session.turns.take_back()
        if text is None:
            return False
        session.screen.composer.put(text)
        session.screen.hint(message("terminal.taken_back"))
        return True

    def control_c(self) -> None:
        """Clears the line; else stops what goes on; else quits, the second time."""
        session = self._session
        if session.screen.panel is not None:
            session.screen.panel.cancel()
        elif session.screen.composer.text:
            session.screen.composer.clear()
        elif session.work.busy or session.turns.waiting:
            self.escape()
        elif time.monotonic() - self._last_quit < QUIT_SECONDS:
            session.screen.exit()
        else:
            self._last_quit = time.monotonic()
            session.screen.hint(message("terminal.quit_hint"), QUIT_SECONDS)

    def control_d(self) -> None:
        if not self._session.screen.composer.text:
            self._session.screen.exit()

    def next_mode(self) -> None:
        from mewcode.governance.modes import Mode

        self._session.set_mode(Mode(self._session.status.mode).following.value)

    def edit(self) -> None:
        from mewcode.terminal.editor import edit_message

        session, app = self._session, self._session.household.app
        setting = app.settings.ui.editor if app else None
        session.work.now(lambda: edit_message(session.screen, setting))

    def transcript_key(self) -> None:
        from mewcode.terminal.pager import show_text

        session = self._session
        session.work.now(lambda: show_text(session.screen, session.transcript.as_text()))

    def tasks(self) -> None:
        self._session.submit("/tasks")

    def search_history(self) -> None:
        from mewcode.terminal.history import search

        session = self._session
        session.work.now(lambda: search(session.screen))

    def paste_image(self) -> None:
        from mewcode.terminal.images import paste_from_clipboard

        session = self._session
        session.work.now(lambda: paste_from_clipboard(session.screen))

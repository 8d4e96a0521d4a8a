"""Opens an interactive session and returns its exit code."""

import gc
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.terminal.hints import Hints, hints_of
from mewcode.terminal.tty_state import TerminalState

if TYPE_CHECKING:
    from mewcode.app.asked import Ask
    from mewcode.app.conversations import SessionChoice
    from mewcode.app.options import AppOptions
    from mewcode.mcp import ElicitationPort, Observer

TERMINATED = 143


@dataclass(frozen=True)
class Start:
    """What the command line asked for. `resume` is a session's id, "" to choose one from a list."""

    resume: str | None = None
    newest: bool = False
    model: str | None = None
    mode: str | None = None
    workspace: Path = field(default_factory=lambda: Path.cwd().resolve())
    hints: Hints = field(default_factory=lambda: hints_of(os.environ))

    @property
    def history(self) -> Path | None:
        """None where nothing is to be remembered."""
        return self.hints.home / "history" if self.hints.remembers else None

    def options(
        self, elicitation: "ElicitationPort | None" = None, ask: "Ask | None" = None, observer: "Observer | None" = None
    ) -> "AppOptions":
        from mewcode.app.options import AppOptions
        from mewcode.calls import Door

        return AppOptions(
            door=Door.TERMINAL,
            workspace=self.workspace,
            model=self.model,
            mode=self.mode,
            elicitation=elicitation,
            ask=ask,
            observer=observer,
        )

    def choice(self) -> "SessionChoice":
        from mewcode.app.conversations import SessionChoice

        return SessionChoice(self.resume or None, self.newest)


def open_terminal(
    *, resume: str | None = None, newest: bool = False, model: str | None = None, mode: str | None = None
) -> int:
    """Raises what the parts raise: SettingsError, UsageError for the session; in a pipe also ModelError."""
    hints = hints_of(os.environ)
    if hints.language and not os.environ.get("MEWCODE_LANG"):
        os.environ["MEWCODE_LANG"] = hints.language
    start = Start(resume, newest, model, known_mode(mode), hints=hints)
    if not sys.stdin.isatty() or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb" or hints.theme == "plain":
        return _plain(start)
    return _screen(start)


def _screen(start: Start) -> int:
    terminal = TerminalState()
    typed = terminal.take_keys()
    gc.disable()  # looking for garbage among modules that are only being loaded is a tenth of the time to the prompt
    try:
        import asyncio

        from mewcode.terminal.welcome import greet

        greet(start)
        return asyncio.run(_run(start, typed))
    finally:
        gc.enable()
        terminal.restore()


def _plain(start: Start) -> int:
    import asyncio

    from mewcode.terminal.welcome import greet_plainly

    terminal = TerminalState(drawn=False)
    try:
        if sys.stdin.isatty():
            greet_plainly(start)
        return asyncio.run(_run(start, b"", plain=True))
    finally:
        terminal.restore()


async def _run(start: Start, typed: bytes, *, plain: bool = False) -> int:
    from mewcode.terminal.session import Session
    from mewcode.terminal.signals import watch_signals

    session = Session(start, typed, plain=plain)
    with watch_signals(session.screen.exit) as caught:
        await session.run()
    session.say_goodbye()
    return caught.exit_code


def known_mode(mode: str | None) -> str | None:
    """Raises UsageError for a mode that does not exist."""
    from mewcode.errors import UsageError

    if mode is not None and mode not in MODES:
        raise UsageError("terminal.mode_unknown", mode=mode)
    return mode


MODES = ("plan", "default", "accept-edits", "auto")
"""As mewcode.governance.modes has them; loading that would cost the prompt a moment."""

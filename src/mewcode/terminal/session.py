"""The interactive session: joins the screen, the house behind it, and what the person's keys do."""

import asyncio
import os
import time
from collections import Counter
from typing import TYPE_CHECKING

from prompt_toolkit.completion import ThreadedCompleter

from mewcode.errors import MewCodeError
from mewcode.messages import message
from mewcode.terminal.composer import Composer
from mewcode.terminal.conversing import Asker
from mewcode.terminal.elicitation import TerminalElicitation
from mewcode.terminal.face import Face
from mewcode.terminal.household import Household
from mewcode.terminal.ink import choose_ink
from mewcode.terminal.key_actions import KeyActions
from mewcode.terminal.live import Fragments
from mewcode.terminal.notifications import call_for
from mewcode.terminal.offers import ready_servers
from mewcode.terminal.said import Said
from mewcode.terminal.screen import Screen
from mewcode.terminal.status import Status, branch_of
from mewcode.terminal.transcript import Transcript
from mewcode.terminal.turns import Turns
from mewcode.terminal.work import Work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mewcode.agent import Agent
    from mewcode.app.conversations import Conversation
    from mewcode.app.options import AppOptions
    from mewcode.calls import Image
    from mewcode.terminal.opening import Start

PRESENT_SECONDS = 4.0
"""Who pressed a key less than this ago needs no bell."""
FRAMES = 12
"""Times a second that the living part is drawn while something moves in it. Keys are drawn at once."""
MOST_DRAWING = 0.2
"""Of the time: on a slow machine there are fewer frames, so that a key seldom waits for one."""
SLOWEST_FRAME = 0.5


class Session:
    """Owns the screen, the work and the house. `run` returns when the person quits."""

    screen: Face

    def __init__(self, start: "Start", typed: bytes = b"", *, plain: bool = False) -> None:
        from mewcode.terminal.completing import SessionCompleter

        self.start = start
        self.work = Work(self.report)
        self.status = Status(branch=branch_of(start.workspace), mode=start.mode or "default")
        self.transcript = Transcript()
        self.loop = asyncio.get_running_loop()
        self.completer = SessionCompleter(self)
        self.keys = KeyActions(self)
        if plain:
            from mewcode.terminal.plain import PlainFace

            self.screen = PlainFace(self.submit, self.keys, lambda: self.work.settled)
        else:
            composer = Composer(start.history, ThreadedCompleter(self.completer), self.submit)
            ink = choose_ink(start.hints.theme)
            self.screen = Screen(composer, self.keys, ink, self._status_line, vi=start.hints.vi, typed=typed)
        self.turns = Turns(self)
        self.asker = Asker(self.screen, self.transcript, self.notify, self.keys.escape)
        self.household = Household(start, self._options, self._opened, self._stuck, self.report)
        self.told: set[str] = set()
        """Notices that were shown."""
        self.choosing_model = False
        self.last_session = ""
        self.shown_session = ""
        """Whose past is on the screen already: a house that is built anew does not print it again."""

    @property
    def agent(self) -> "Agent | None":
        return self.household.agent

    async def run(self) -> None:
        """Raises SettingsError where nothing can start, and whatever broke the screen or the house."""
        house = asyncio.create_task(self.household.run())
        house.add_done_callback(self._house_ended)
        helpers = [asyncio.create_task(self.work.run()), asyncio.create_task(self._animate())]
        try:
            await self.screen.run()
        finally:
            for task in helpers:
                task.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
            self.household.close()
            await house

    # --- messages ------------------------------------------------------------------------------------------------

    def submit(self, text: str, images: "Sequence[Image]" = ()) -> None:
        """What Enter sent: a command, a command line for the shell, or a message."""
        words = text.strip()
        if words.startswith("/"):
            self.work.now(lambda: self._command(words))
        elif words.startswith("!") and words[1:].strip():
            self.work.do(lambda: self._shell(words[1:].strip()))
        else:
            self.turns.say(Said(text, images=tuple(images)))

    async def _command(self, line: str) -> None:
        from mewcode.terminal.slash import run_command_line

        await run_command_line(self, line)

    async def _shell(self, line: str) -> None:
        from mewcode.terminal.shell import run_shell

        await run_shell(self, line)

    def _options(self) -> "AppOptions":
        from mewcode.terminal.observing import TerminalObserver

        observer = TerminalObserver(self.screen.print, self.completer.offers.forget)
        return self.start.options(TerminalElicitation(self), self.asker.ask_own, observer)

    # --- what the house tells ------------------------------------------------------------------------------------

    def _opened(self, conversation: "Conversation") -> None:
        from mewcode.terminal.arriving import arrive

        arrive(self, conversation)

    def _stuck(self, error: MewCodeError) -> None:
        from mewcode.terminal.first_run import offer_models

        if not self.screen.interactive:
            self.screen.fail(error)
            return
        self.status.trouble = message("terminal.no_model")
        self.work.now(lambda: offer_models(self, error))

    def _house_ended(self, house: "asyncio.Task[None]") -> None:
        if not house.cancelled() and (error := house.exception()) is not None:
            self.screen.fail(error)

    def look_around(self) -> None:
        """Takes into the status line what may have changed: jobs, servers, branch."""
        app, agent = self.household.app, self.agent
        if app is None:
            return
        ready = ready_servers(app)
        if ready and self.completer.offers.answered != ready:
            self.work.now(lambda: self.completer.refresh(app))
        self.status.servers = Counter(source.state.value for source in app.registry.sources.values())
        self.status.branch = branch_of(app.workspace)
        if agent is not None:
            self.status.jobs = sum(job.running for job in app.jobs.of_session(agent.session.id))

    def restart_when_idle(self, model: str | None = None) -> None:
        """Reads the settings anew as soon as the agent has finished; the session goes on."""

        async def restart() -> None:
            self.household.reopen(model)
            await self.household.ready.wait()

        self.work.do(restart)

    def report(self, error: BaseException) -> None:
        """A failure of ours in one line with the next step; a defect is not hidden, and does not end the session."""
        text = str(error) if isinstance(error, MewCodeError) else message("terminal.defect", what=repr(error))
        self.screen.print(text, "bad")

    def notify(self, text: str) -> None:
        """Calls the person, unless they are at the keyboard."""
        app = self.household.app
        way = app.settings.ui.notifications if app else "bell"
        if way != "off" and self.screen.idle_seconds > PRESENT_SECONDS:
            self.screen.write_control(call_for(text, way, os.environ))

    async def _animate(self) -> None:
        live, looked, pause = self.screen.live, 0.0, 1 / FRAMES
        while True:
            await asyncio.sleep(pause)
            if time.monotonic() - looked > 1:
                looked = time.monotonic()
                before = self.status.servers
                self.look_around()
                live.changed = live.changed or before != self.status.servers
            if isinstance(self.screen, Screen):
                began = time.monotonic()
                self._draw(self.screen)
                spent = time.monotonic() - began + self.screen.frame_seconds
                pause = min(SLOWEST_FRAME, max(1 / FRAMES, spent / MOST_DRAWING))

    def _draw(self, screen: Screen) -> None:
        live = screen.live
        if live.changed and live.tail:
            from mewcode.terminal.turn_view import tail_of

            tail_of(screen)
        if live.changed or live.calls or live.busy or screen.panels or screen.hinting:
            live.changed = False
            screen.refresh()

    def _status_line(self, width: int) -> Fragments:
        return self.status.fragments(width)

    def say_goodbye(self) -> None:
        """The last line in the shell: how to go on."""
        if self.last_session and self.turns.count:
            self.screen.print(message("terminal.goodbye", session=self.last_session), "dim")

    def set_mode(self, name: str) -> None:
        """Also before the house is open: `arrive` takes it over."""
        from mewcode.governance.modes import Mode

        self.status.mode = name
        app, agent = self.household.app, self.agent
        if app is not None and agent is not None:
            app.gate.sessions.set_mode(agent.session.id, Mode(name))
        self.screen.refresh()

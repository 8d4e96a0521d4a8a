"""The house behind the screen: opened in the background, with one conversation after the other in it."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from mewcode.errors import MewCodeError, ModelError, UsageError

if TYPE_CHECKING:
    from mewcode.agent import Agent
    from mewcode.app.conversations import Conversation, SessionChoice
    from mewcode.app.house import App
    from mewcode.app.options import AppOptions
    from mewcode.terminal.opening import Start


class Household:
    """`run` owns everything and ends when `close` is called. What is not there yet is None; `ready` tells when it is.

    `opened` is called for each new conversation, `stuck` where there is no model: the screen stays, and `open` tries
    again. A session that cannot be had is told to `refused`; the one before it goes on, or a new one.
    """

    def __init__(
        self,
        start: "Start",
        options: "Callable[[], AppOptions]",
        opened: Callable[["Conversation"], None],
        stuck: Callable[[MewCodeError], None],
        refused: Callable[[MewCodeError], None],
    ) -> None:
        self._start = start
        self._options = options
        self.app: App | None = None
        self.conversation: Conversation | None = None
        self.problem: MewCodeError | None = None
        self.ready = asyncio.Event()
        self.settled = asyncio.Event()
        """Set when there is an agent, or something stands in its way that the person was told."""
        self._next: tuple[SessionChoice, str | None] | None = None
        self._change = asyncio.Event()
        self._closing = self._stale = False
        self._opened = opened
        self._stuck = stuck
        self._refused = refused
        self._last: str | None = None

    @property
    def agent(self) -> "Agent | None":
        return self.conversation.agent if self.conversation else None

    async def run(self) -> None:
        """Raises SettingsError where the settings let nothing start; other errors of ours leave the screen open."""
        open_app = await asyncio.to_thread(_load)
        self._next = self._next or (self._start.choice(), None)
        while self._next is not None and not self._closing:
            async with open_app(self._options()) as app:
                self.app, self._stale = app, False
                while self._next is not None and not self._closing and not self._stale:
                    (choice, model), self._next = self._next, None
                    self._change.clear()
                    await self._converse(app, choice, model)
            self.app = None

    def open(self, choice: "SessionChoice", model: str | None = None) -> None:
        """Goes over to another session; the one that is open is saved and closed."""
        self._next = (choice, model)
        self.ready.clear()
        self.settled.clear()
        self._change.set()

    def reopen(self, model: str | None = None) -> None:
        """Builds the house anew, for settings that changed; the session goes on."""
        from mewcode.app.conversations import SessionChoice

        self._stale = True
        self.open(SessionChoice(self.agent.session.id) if self.agent else self._start.choice(), model)

    def close(self) -> None:
        self._closing = True
        self._next = None
        self._change.set()

    async def use_model(self, name: str) -> str:
        """Lets another model answer from the next turn on; returns its whole name. Raises ModelError."""
        assert self.app is not None
        if self.conversation is None:
            self.open(_new_session(), name)
            return name
        choice = await self.app.choose_model(name)
        model = self.app.open_model(choice)
        self._models.push_async_callback(model.close)
        self.conversation.agent.use_model(model)
        self.conversation = replace(self.conversation, choice=choice)
        return choice.name

    async def _converse(self, app: "App", choice: "SessionChoice", model: str | None) -> None:
        from mewcode.app.conversations import SessionChoice, open_conversation

        try:
            async with AsyncExitStack() as self._models, open_conversation(app, choice, model) as conversation:
                self.conversation, self.problem = conversation, None
                self._last = conversation.agent.session.id
                self.ready.set()
                self.settled.set()
                self._opened(conversation)
                await self._change.wait()
        except UsageError as error:
            if self.conversation is not None:
                raise
            self._refused(error)
            last, self._last = self._last, None
            self._next = self._next or (SessionChoice(last), model)
        except ModelError as error:
            if self.conversation is not None:
                raise
            self.problem = error
            self.settled.set()
            self._stuck(error)
            await self._change.wait()
        finally:
            self.conversation = None


def _new_session() -> "SessionChoice":
    from mewcode.app.conversations import SessionChoice

    return SessionChoice()


def _load():
    """The imports behind the prompt, in a thread: the input line works meanwhile."""
    from mewcode.app import conversations, house
    from mewcode.terminal import markdown

    _ = conversations, markdown
    return house.open_app

"""Opens what one run needs: the app, and a conversation with its model, session and agent."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from mewcode.agent import Notice
from mewcode.app.agents import agent_options
from mewcode.app.conversations import Conversation, SessionChoice, open_conversation
from mewcode.app.house import open_app
from mewcode.app.mentions import expand_mentions
from mewcode.app.options import AppOptions
from mewcode.headless.runner import RunHouse
from mewcode.messages import message

__all__ = ["SessionChoice", "open_house"]


@asynccontextmanager
async def open_house(options: AppOptions, session: SessionChoice) -> AsyncGenerator[RunHouse, None]:
    """Raises what the parts raise: SettingsError, ModelError where there is no model, UsageError for the session."""
    async with open_app(options) as app, open_conversation(app, session) as conversation:
        yield RunHouse(
            agent=conversation.agent,
            gate=app.gate,
            registry=app.registry,
            principal=app.principal,
            workspace=app.workspace,
            mode=options.mode or str(app.settings.mode),
            limits=agent_options(app.loaded).limits,
            notices=_named(conversation),
            expand=lambda text: expand_mentions(app, conversation.agent.session.id, text),
        )


def _named(conversation: Conversation) -> tuple[Notice, ...]:
    why, *others = conversation.notices
    return (Notice(message("headless.model_is", name=conversation.choice.name, why=why.text), why.level), *others)

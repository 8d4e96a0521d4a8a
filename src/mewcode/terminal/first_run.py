"""No model: what was found, and how to get one in a few keys."""

from typing import TYPE_CHECKING

from mewcode.errors import MewCodeError

if TYPE_CHECKING:
    from mewcode.terminal.session import Session


async def offer_models(session: "Session", error: MewCodeError) -> None:
    session.screen.print(str(error), "bad")


async def choose_model(session: "Session") -> None:
    return

"""What waits for the first request to the model, and what does not."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import anyio
import pytest

from mewcode.app.models import announced
from mewcode.app.servers import FirstRequest
from mewcode.models import ModelEvent, ModelInput, ModelProfile
from mewcode.models.events import Leaving
from mewcode.tools import ServerSource, ServerState

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("which", ["the request is out", "somebody waits for a server"])
async def test_the_import_of_the_sdk_is_held_back_until(which: str) -> None:
    first, source, held = FirstRequest(), ServerSource("s", "mcp_s_"), anyio.Event()

    async def hold() -> None:
        await first.wait(source.wanted)
        held.set()

    with anyio.fail_after(8):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(hold)
            await anyio.wait_all_tasks_blocked()
            assert not held.is_set()
            if which == "the request is out":
                first.is_out.set()
            else:
                tasks.start_soon(source.wait_settled)
            await held.wait()
            source.move(ServerState.READY)


async def test_nobody_wants_a_server_that_is_there_already() -> None:
    source = ServerSource("s", "mcp_s_", ServerState.READY)
    await source.wait_settled()
    assert not source.wanted.is_set()


class Silent:
    """A model whose request leaves, and whose answer never comes."""

    name, context_window, profile = "silent", 1000, ModelProfile()

    async def stream(self, request: ModelInput) -> AsyncGenerator[ModelEvent, None]:
        yield Leaving()
        await anyio.sleep_forever()

    async def close(self) -> None:
        return


async def test_what_waits_for_the_request_goes_on_while_the_model_still_thinks() -> None:
    asked, seen = anyio.Event(), list[ModelEvent]()
    model = announced(Silent(), asked.set)

    async def ask() -> None:
        async with aclosing(model.stream(ModelInput([], (), "", None))) as events:
            seen.extend([event async for event in events])

    with anyio.fail_after(8):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await asked.wait()
            tasks.cancel_scope.cancel()
    assert seen == []

"""What waits for the first request to the model, and what does not."""

import anyio
import pytest

from mewcode.app.servers import FirstRequest
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

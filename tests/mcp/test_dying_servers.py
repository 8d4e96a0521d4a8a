"""A server that dies again and again loses no call that it had not taken yet, and leaves no process."""

from pathlib import Path

import pytest
from tests.mcp.running import alive, call, running
from tests.mcp.scripted import scripted, starts

pytestmark = pytest.mark.anyio


async def test_a_server_that_ends_after_every_call_serves_every_call(tmp_path: Path) -> None:
    async with running(scripted(tmp_path, dies_after=1)) as manager:
        results = [await call(manager, "s") for _ in range(4)]
        assert [result.error for result in results] == [None] * 4
        assert manager.registry.find("s", "t") is not None
    begun = starts(tmp_path)
    assert len(begun) >= 4
    assert not [pid for pid in begun if alive(pid)]


async def test_a_call_that_the_server_had_taken_is_not_repeated(tmp_path: Path) -> None:
    async with running(scripted(tmp_path, dies_in=1)) as manager:
        result = await call(manager, "s")
        assert result.error is not None
        assert "It was not repeated" in result.text

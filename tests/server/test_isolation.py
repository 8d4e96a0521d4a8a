"""Two principals side by side, 64 calls at once: nothing of one ever reaches the other."""

import os
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.clients import http, new_token, serving, settings, text_of

pytestmark = pytest.mark.anyio

CALLS = 10_000 if os.environ.get("MEWCODE_LONG_TESTS") else 192
"""In all, of both together."""
AT_ONCE = 64
TEAM = """
roles:
  left: {tools: [read_file, search_code], read: ['left/**']}
  right: {tools: [read_file, find_files], read: ['right/**']}
principals:
  lea: {roles: [left]}
  rio: {roles: [right]}
limits: {per_minute: 1000000, concurrent: 1000}
"""


async def test_no_tool_path_or_result_of_one_reaches_the_other(workspace: Path) -> None:
    settings(TEAM)
    for side in ("left", "right"):
        (workspace / side).mkdir()
        (workspace / side / "mine.txt").write_text(f"secret of {side}\n")
    tokens = {"left": new_token("lea"), "right": new_token("rio")}
    wrong: list[Any] = []
    limiter = anyio.Semaphore(AT_ONCE)
    with serving(workspace) as served:
        async with http(served.url, tokens["left"]) as lea, http(served.url, tokens["right"], "legacy") as rio:

            async def call(client: Any, own: str, other: str, number: int) -> None:
                async with limiter:
                    if number % 8 == 0:
                        names = {tool.name for tool in (await client.list_tools()).tools}
                        if ("search_code" in names) != (own == "left"):
                            wrong.append(names)
                    mine = text_of(await client.call_tool("read_file", {"path": f"{own}/mine.txt"}))
                    theirs = text_of(await client.call_tool("read_file", {"path": f"{other}/mine.txt"}))
                    if f"secret of {own}" not in mine or f"secret of {other}" in mine + theirs:
                        wrong.append((own, mine, theirs))

            async with anyio.create_task_group() as tasks:
                for number in range(CALLS // 4):
                    tasks.start_soon(call, lea, "left", "right", number)
                    tasks.start_soon(call, rio, "right", "left", number)
    assert wrong == []

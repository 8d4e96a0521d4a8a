"""Head and body of an answer leave together, in order, and nothing is left behind at the end of a connection."""

import asyncio

import anyio
import pytest
from tests.server.test_hostile import listening

from mewcode.server.http.gathered import AT_ONCE, Gathering

pytestmark = pytest.mark.anyio


class Noting(asyncio.Transport):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[bytes] = []
        self.closed_after = -1

    def write(self, data: bytes) -> None:  # type: ignore[override]
        self.given.append(bytes(data))

    def close(self) -> None:
        self.closed_after = len(self.given)


def gathering() -> tuple[Gathering, Noting]:
    noting = Noting()
    return Gathering(noting, asyncio.get_running_loop()), noting


async def test_what_is_written_in_one_turn_goes_out_in_one_piece() -> None:
    transport, noting = gathering()
    transport.write(b"head ")
    transport.write(b"")
    transport.write(b"body")
    assert noting.given == []
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    transport.write(b"next")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert noting.given == [b"head body", b"next"]


async def test_the_last_words_go_out_before_the_end() -> None:
    transport, noting = gathering()
    transport.write(b"bye")
    transport.close()
    assert (noting.given, noting.closed_after) == ([b"bye"], 1)


async def test_much_is_not_held_back() -> None:
    transport, noting = gathering()
    transport.write(b"x" * AT_ONCE)
    assert noting.given == [b"x" * AT_ONCE]


async def test_a_client_reads_the_head_and_the_body_of_an_answer_at_once() -> None:
    with listening(10) as (host, port):
        async with await anyio.connect_tcp(host, port) as stream:
            for _ in range(5):
                await stream.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                answer = await stream.receive()
                assert answer.startswith(b"HTTP/1.1 200")
                assert answer.endswith(b"said")

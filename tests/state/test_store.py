"""One contract, kept by the store in memory and by the one in a real Redis."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest
from tests.services import RedisServer, free_port, redis_server

from mewcode.state import MemoryStore, Store, StoreUnavailableError, open_store

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    url = None if request.param == "memory" else request.getfixturevalue("redis").url
    store = open_store(url, prefix=f"{request.node.name}:")
    yield store
    await store.close()


async def test_what_is_set_is_there_until_it_is_deleted(store: Store) -> None:
    assert await store.get("a") is None
    await store.set("a", "Grüße 你好")
    assert await store.get("a") == "Grüße 你好"
    assert await store.delete("a")
    assert not await store.delete("a")


async def test_add_and_replace_only_touch_what_they_expect(store: Store) -> None:
    assert await store.add("a", "1")
    assert not await store.add("a", "2")
    assert not await store.replace("a", "2", "3")
    assert not await store.replace("a", None, "3")
    assert await store.replace("a", "1", "3")
    assert await store.replace("b", None, "x")
    assert (await store.get("a"), await store.get("b")) == ("3", "x")


async def test_an_empty_text_is_not_nothing(store: Store) -> None:
    await store.set("a", "")
    assert await store.get("a") == ""
    assert not await store.replace("a", None, "x")
    assert await store.replace("a", "", "x")


async def test_what_is_taken_is_taken_once_however_many_ask(store: Store) -> None:
    await store.set("a", "ticket")
    got: list[str | None] = []

    async def ask() -> None:
        got.append(await store.take("a"))

    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(ask)
    assert sorted(value for value in got if value) == ["ticket"]


async def test_counters_count_every_call_of_many_at_once(store: Store) -> None:
    async def count() -> None:
        for _ in range(10):
            await store.incr("n", 2)

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(count)
    assert await store.incr("n", 0) == 200
    assert await store.incr("n", -200) == 0


async def test_values_end_with_their_time(store: Store) -> None:
    await store.set("short", "x", ttl=0.05)
    await store.add("added", "x", ttl=0.05)
    await store.incr("counted", ttl=0.05)
    await store.set("long", "x", ttl=60)
    with anyio.fail_after(30):
        while await store.keys("") != ("long",):
            await anyio.sleep(0.01)
    assert await store.incr("counted", ttl=60) == 1


async def test_a_counters_time_begins_with_its_first_increment() -> None:
    now = [0.0]
    store = MemoryStore(clock=lambda: now[0])
    await store.incr("n", ttl=10)
    now[0] = 9
    assert await store.incr("n", ttl=10) == 2
    now[0] = 10
    assert await store.incr("n", ttl=10) == 1


async def test_keys_are_found_by_their_beginning_and_nothing_else(store: Store) -> None:
    for key in ("a:1", "a:2", "b:1", "a*x", "[a]"):
        await store.set(key, "x")
    assert await store.keys("a:") == ("a:1", "a:2")
    assert await store.keys("a*") == ("a*x",)
    assert await store.keys("[a]") == ("[a]",)


async def test_two_processes_share_what_is_in_redis(redis: RedisServer) -> None:
    first, second = open_store(redis.url, prefix="shared:"), open_store(redis.url, prefix="shared:")
    await first.set("a", "x")
    assert await second.take("a") == "x"
    assert await first.get("a") is None
    await first.close()
    await second.close()


async def test_a_redis_that_goes_away_is_said_and_comes_back(tmp_path: Path) -> None:
    with redis_server(tmp_path) as server:
        store = open_store(server.url, timeout=5)
        await store.ping()
        server.stop()
        for ask in (store.get("a"), store.incr("a"), store.keys("a"), store.ping()):
            with pytest.raises(StoreUnavailableError, match=r"state\.url"):
                await ask
        server.start()
        await store.ping()
        assert await store.incr("a") == 1
        await store.close()


async def test_a_redis_that_never_answers_is_given_up_at_its_deadline() -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=free_port()) as listener:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        store = open_store(f"redis://:hunter2@127.0.0.1:{port}", timeout=0.2)
        with anyio.fail_after(30), pytest.raises(StoreUnavailableError) as caught:
            await store.get("a")
        assert "hunter2" not in str(caught.value)
        await store.close()


@pytest.mark.parametrize("url", ["http://h", "redis", "redis://h:notaport"])
async def test_a_url_that_makes_no_sense_is_refused(url: str) -> None:
    with pytest.raises(StoreUnavailableError, match=r"state\.url"):
        open_store(url)

"""A real Redis that two replicas share."""

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.services import RedisServer, redis_server

from mewcode.state.redis_store import RedisStore


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def prefix(request: pytest.FixtureRequest) -> str:
    return f"{request.node.name}:"


@pytest.fixture
async def stores(server: RedisServer, prefix: str) -> AsyncIterator[tuple[RedisStore, RedisStore]]:
    """Those of two replicas."""
    both = (RedisStore(server.url, prefix=prefix, timeout=30), RedisStore(server.url, prefix=prefix, timeout=30))
    yield both
    for store in both:
        await store.close()

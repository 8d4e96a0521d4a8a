"""The two databases that the audit must work with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.governance.audit.samples import url_of
from tests.postgres_service import has_postgres, postgres

from mewcode.governance.audit.database import open_engine


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    if not has_postgres():
        pytest.skip("PostgreSQL's programs are not installed")
    pytest.importorskip("psycopg")
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield url_of(tmp_path)
        return
    server = request.getfixturevalue("postgres_server")
    engine = open_engine(server)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    yield server

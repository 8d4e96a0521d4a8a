"""Values in a small SQLite file: for what several processes of one machine share without a Redis."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import anyio.to_thread

from mewcode.state.store import StoreUnavailableError

T = TypeVar("T")
_TABLE = "CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, ends REAL)"
_PUT = "INSERT OR REPLACE INTO entries (key, value, ends) VALUES (?, ?, ?)"


class SqliteStore:
    """Implements Store over `path`, which only this user can read. Each operation is one transaction.

    `timeout` is the seconds that it waits for another process. Nothing is opened before the first operation.
    """

    def __init__(self, path: Path, *, timeout: float = 5.0) -> None:
        self._path = path
        self._timeout = timeout

    async def get(self, key: str) -> str | None:
        return await self._do(lambda database: _get(database, key))

    async def set(self, key: str, value: str, *, ttl: float | None = None) -> None:
        await self._do(lambda database: _put(database, key, value, ttl))

    async def add(self, key: str, value: str, *, ttl: float | None = None) -> bool:
        return await self.replace(key, None, value, ttl=ttl)

    async def replace(self, key: str, expected: str | None, value: str, *, ttl: float | None = None) -> bool:
        def change(database: sqlite3.Connection) -> bool:
            if _get(database, key) != expected:
                return False
            _put(database, key, value, ttl)
            return True

        return await self._do(change)

    async def take(self, key: str) -> str | None:
        def change(database: sqlite3.Connection) -> str | None:
            value = _get(database, key)
            database.execute("DELETE FROM entries WHERE key = ?", (key,))
            return value

        return await self._do(change)

    async def delete(self, key: str) -> bool:
        return await self.take(key) is not None

    async def incr(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        def change(database: sqlite3.Connection) -> int:
            value = _get(database, key)
            if value is None:
                _put(database, key, str(by), ttl)
                return by
            total = int(value) + by
            database.execute("UPDATE entries SET value = ? WHERE key = ?", (str(total), key))
            return total

        return await self._do(change)

    async def keys(self, prefix: str) -> tuple[str, ...]:
        def find(database: sqlite3.Connection) -> tuple[str, ...]:
            found = database.execute("SELECT key FROM entries WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))
            return tuple(sorted(row[0] for row in found))

        return await self._do(find)

    async def ping(self) -> None:
        await self._do(lambda database: None)

    async def close(self) -> None:
        """Nothing is held open."""

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await anyio.to_thread.run_sync(self._transaction, work)

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            database = self._open()
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailableError("state.sqlite_away", path=self._path, reason=error) from None
        try:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM entries WHERE ends <= ?", (time.time(),))
            result = work(database)
            database.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreUnavailableError("state.sqlite_away", path=self._path, reason=error) from None
        finally:
            database.close()
        return result

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        database = sqlite3.connect(self._path, timeout=self._timeout, isolation_level=None)
        database.execute(_TABLE)
        return database


def _get(database: sqlite3.Connection, key: str) -> str | None:
    row = database.execute("SELECT value FROM entries WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def _put(database: sqlite3.Connection, key: str, value: str, ttl: float | None) -> None:
    database.execute(_PUT, (key, value, None if ttl is None else time.time() + ttl))

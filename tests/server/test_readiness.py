"""What probes are told of what the server needs, looked up once a second and never for long."""

from pathlib import Path

import anyio
import pytest
from tests.server.clients import PATIENCE

from mewcode.errors import AuditError
from mewcode.governance.audit import AuditLog
from mewcode.server.http import readiness
from mewcode.server.http.readiness import Readiness

pytestmark = pytest.mark.anyio


async def test_what_is_away_is_named_and_looked_at_again_when_the_answer_is_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away, looked = True, 0

    async def look() -> None:
        nonlocal looked
        looked += 1
        if away:
            raise AuditError("audit.closed", place="there")

    async def fine() -> None:
        return

    ready = Readiness(lambda: False, {"the state is away": fine, "the audit is away": look})
    monkeypatch.setattr(readiness, "FRESH_FOR", 1_000.0)
    assert [await ready() for _ in range(5)] == ["the audit is away"] * 5
    assert looked == 1
    away = False
    monkeypatch.setattr(readiness, "FRESH_FOR", 0.0)
    assert await ready() is None


async def test_what_does_not_answer_is_away_and_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "WITHIN", 0.05)
    ready = Readiness(lambda: False, {"the state is away": anyio.sleep_forever})
    with anyio.fail_after(PATIENCE):
        assert await ready() == "the state is away"


async def test_while_the_server_ends_nothing_is_looked_at() -> None:
    ready = Readiness(lambda: True, {"the state is away": anyio.sleep_forever})
    assert await ready() == "draining"


async def test_an_audit_that_cannot_be_read_is_away_and_one_that_is_not_there_yet_is_not(tmp_path: Path) -> None:
    file = tmp_path / "audit.db"
    log = AuditLog(f"sqlite:///{file}")
    await log.ping(1.0)
    assert not file.exists()
    file.write_text("no database at all, but a text that is long enough to be read as a page of one" * 100)
    with pytest.raises(AuditError):
        await log.ping(1.0)
    await log.close()

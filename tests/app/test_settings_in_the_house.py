"""Settings that the house itself carries out."""

import logging
import os
import time
from pathlib import Path

import pytest
from tests.endpoint import Turn, serve
from tests.endpoint.turns import Call
from tests.headless.whole_house import run_here, write_settings

from mewcode.app.house import open_app
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.config import Paths
from mewcode.errors import UsageError
from mewcode.tools.search import ToolSearch

pytestmark = pytest.mark.anyio
WRITES = [Turn(calls=[Call("write_file", {"path": "a.txt", "content": "new"})]), Turn("done")]
AGED = 91 * 86400


@pytest.fixture
def paths() -> Paths:
    return Paths.from_environment(os.environ)


def aged(path: Path) -> Path:
    then = time.time() - AGED
    os.utime(path, (then, then))
    return path


async def test_sessions_older_than_the_settings_keep_them_go_with_all_that_was_kept_of_them(
    tmp_path: Path, paths: Paths
) -> None:
    with serve(WRITES * 2) as endpoint:
        write_settings(endpoint)
        old = (await run_here(tmp_path, "write", allow=("write_file(*)",))).result.session
        session = aged(paths.sessions / f"{old}.jsonl")
        outputs = paths.outputs / old
        outputs.mkdir(parents=True)
        left = aged_folder(paths.outputs / "of-no-session")
        assert (paths.checkpoints / "sessions" / f"{old}.jsonl").exists()
        new = (await run_here(tmp_path, "write again", allow=("write_file(*)",))).result.session
    assert [path.exists() for path in (session, outputs, left)] == [False] * 3
    assert list((paths.checkpoints / "sessions").iterdir()) == []
    assert [path.stem for path in paths.sessions.glob("*.jsonl")] == [new]


def aged_folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return aged(path)


async def test_an_old_session_that_is_open_stays(tmp_path: Path, paths: Paths) -> None:
    options = AppOptions(door=Door.RUN, workspace=tmp_path)
    async with open_app(options) as house:
        session = house.sessions.create(tmp_path, "m")
        aged(session.path)
        async with open_app(options):
            pass
        assert session.path.exists()
        session.close()
    with pytest.raises(UsageError):
        house.sessions.open(session.id)


async def test_without_checkpoints_no_copy_of_a_changed_file_is_kept(tmp_path: Path, paths: Paths) -> None:
    with serve(WRITES) as endpoint:
        write_settings(endpoint, more="sessions: {checkpoints: false}\n")
        await run_here(tmp_path, "write", allow=("write_file(*)",))
    assert (tmp_path / "a.txt").read_text() == "new"
    assert not paths.checkpoints.exists()


async def test_as_many_log_files_are_kept_as_the_settings_say(tmp_path: Path, paths: Paths) -> None:
    paths.home.mkdir(parents=True, exist_ok=True)
    paths.config.write_text("telemetry: {log_level: debug, log_size: 100, log_files: 2}\n")
    async with open_app(AppOptions(door=Door.RUN, workspace=tmp_path)):
        for number in range(9):
            logging.getLogger("anything").info("line %s", number)
    assert sorted(path.name for path in paths.logs.glob("mewcode.log*")) == [
        "mewcode.log",
        "mewcode.log.1",
        "mewcode.log.2",
    ]


async def test_the_home_is_closed_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEWCODE_HOME", str(tmp_path / "home" / "mewcode"))
    async with open_app(AppOptions(door=Door.RUN, workspace=tmp_path)):
        pass
    assert (tmp_path / "home" / "mewcode").stat().st_mode & 0o077 == 0


async def test_a_search_finds_as_many_tools_as_the_settings_say(tmp_path: Path, paths: Paths) -> None:
    paths.home.mkdir(parents=True, exist_ok=True)
    paths.config.write_text("mcp: {search_limit: 2, search_per_server: 1}\n")
    async with open_app(AppOptions(door=Door.RUN, workspace=tmp_path)) as house:
        search = house.registry.get("tool_search")
        assert isinstance(search, ToolSearch)
        assert "Default 2" in str(search.parameters)
        assert search.limits.of_one_server(2) == 1

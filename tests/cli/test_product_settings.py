"""The settings that the product's page shows, as they stand, through `mewcode mcp list`."""

import json
import os
import shutil
from pathlib import Path

import pytest

from mewcode.cli.commands import run

ROOT = Path(__file__).parents[2]
SERVERS = Path(os.environ.get("MEWCODE_TEST_SERVERS") or ROOT / ".cache" / "servers")
BLOCK = ROOT / "tests" / "config" / "product_settings.yaml"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in which npx finds the servers that are installed for the tests, with the block as user settings."""
    modules = SERVERS / "npm" / "node_modules"
    if shutil.which("npx") is None or not modules.is_dir():
        pytest.skip("npx or the servers of npm are not installed; run tests/servers/install.sh")
    (tmp_path / "node_modules").symlink_to(modules)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SERVERS / "npm" / name, tmp_path)
    shutil.copy(BLOCK, Path(os.environ["MEWCODE_HOME"]) / "config.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ZHIPU_API_KEY", "GITHUB_TOKEN", "API_TOKEN"):
        monkeypatch.setenv(name, "none-of-importance")
    return tmp_path


@pytest.mark.usefixtures("workspace")
def test_the_servers_of_the_block_are_listed_each_with_what_became_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "list", "--json"]) == 0
    printed = capsys.readouterr()
    rows = {row["name"]: row for row in json.loads(printed.out)}
    assert set(rows) == {"github", "remote-tool"}
    github = rows["github"]
    assert (github["transport"], github["state"], github["error"]) == ("stdio", "ready", None)
    assert github["tools"] > 10
    remote = rows["remote-tool"]
    assert (remote["transport"], remote["state"], remote["tools"]) == ("http", "failed", 0)
    assert "api.example.com" in remote["error"]
    assert "none-of-importance" not in printed.out + printed.err


@pytest.mark.usefixtures("workspace")
def test_a_variable_that_is_not_set_stops_its_own_server_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("API_TOKEN")
    assert run(["mcp", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["github"]["state"] == "ready"
    assert rows["remote-tool"]["state"] == "failed"
    assert "API_TOKEN" in rows["remote-tool"]["error"]
    assert "config.yaml:13:" in rows["remote-tool"]["error"]

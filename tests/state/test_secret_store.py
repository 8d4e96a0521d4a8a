"""Secrets of MewCode's own go to a keyring that answers, else to files for this user only."""

import sys
import threading
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from mewcode.state import SecretStore, SecretStoreError


class RealKeyring(keyring.backend.KeyringBackend):
    """A keyring as the systems have them, in memory; `locked` never answers until it is set."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.unlocked = threading.Event()
        self.unlocked.set()

    def get_password(self, service: str, username: str) -> str | None:
        self.unlocked.wait(60)
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.unlocked.wait(60)
        if len(password) > 1000:
            raise keyring.errors.PasswordSetError("too long")
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> RealKeyring:
    backend = RealKeyring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    return backend


def test_a_file_is_for_this_user_only_and_says_nothing_by_its_name(tmp_path: Path) -> None:
    store = SecretStore(tmp_path / "tokens", use_keyring=False)
    store.set_now("https://mcp.example/oauth", "s3cret")
    (file,) = (tmp_path / "tokens").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert "example" not in file.name
    assert SecretStore(tmp_path / "tokens", use_keyring=False).get_now("https://mcp.example/oauth") == "s3cret"


@pytest.mark.anyio
async def test_secrets_are_found_replaced_and_deleted(tmp_path: Path) -> None:
    store = SecretStore(tmp_path, use_keyring=False)
    assert await store.get("a") is None
    await store.set("a", "1")
    await store.set("a", "2")
    assert await store.get("a") == "2"
    assert await store.delete("a")
    assert not await store.delete("a")
    assert list(tmp_path.iterdir()) == []


def test_a_real_keyring_is_preferred(tmp_path: Path, backend: RealKeyring) -> None:
    store = SecretStore(tmp_path)
    store.set_now("a", "1")
    assert backend.kept == {("mewcode", "a"): "1"}
    assert list(tmp_path.iterdir()) == []
    assert store.get_now("a") == "1"
    assert store.delete_now("a")
    assert backend.kept == {}


def test_what_the_keyring_refuses_goes_to_a_file_and_is_found_there(tmp_path: Path, backend: RealKeyring) -> None:
    store = SecretStore(tmp_path)
    store.set_now("a", "old")
    store.set_now("a", "x" * 2000)
    assert store.get_now("a") == "x" * 2000
    store.set_now("a", "new")
    assert (store.get_now("a"), list(tmp_path.iterdir())) == ("new", [])


def test_a_locked_keyring_blocks_nobody(tmp_path: Path, backend: RealKeyring) -> None:
    backend.unlocked.clear()
    store = SecretStore(tmp_path, deadline=0.1)
    store.set_now("a", "1")
    assert store.get_now("a") == "1"
    assert store.place() == str(tmp_path)
    backend.unlocked.set()


def test_a_keyring_that_stores_in_plain_text_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = RealKeyring()
    monkeypatch.setattr(RealKeyring, "priority", 0.5)
    monkeypatch.setattr(keyring, "get_keyring", lambda: weak)
    store = SecretStore(tmp_path)
    store.set_now("a", "1")
    assert weak.kept == {}
    assert len(list(tmp_path.iterdir())) == 1


def test_no_keyring_library_is_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    store = SecretStore(tmp_path)
    store.set_now("a", "1")
    assert store.get_now("a") == "1"


def test_a_damaged_file_is_named_without_its_content(tmp_path: Path) -> None:
    store = SecretStore(tmp_path, use_keyring=False)
    store.set_now("a", "1")
    (file,) = tmp_path.iterdir()
    file.write_text("hunter2")
    with pytest.raises(SecretStoreError) as caught:
        store.get_now("a")
    assert str(file) in str(caught.value)
    assert "hunter2" not in str(caught.value)
    store.set_now("a", "2")
    assert store.get_now("a") == "2"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SecretStore(tmp_path / "file" / "tokens", use_keyring=False)
    with pytest.raises(SecretStoreError, match="file"):
        store.set_now("a", "1")

"""Secrets of MewCode's own (OAuth tokens, client secrets): in the system's keyring, else in files for this user."""

from pathlib import Path

import anyio.to_thread

from mewcode.state.secret_files import SecretFiles
from mewcode.state.system_keyring import KeyringUnavailableError, SystemKeyring


class SecretStore:
    """`folder` holds the files; a system keyring that answers is preferred. No call blocks on a locked keyring:
    after its deadline (seconds) the files are used for the rest of this process.

    Raises SecretStoreError when a file cannot be written or is damaged.
    """

    def __init__(self, folder: Path, *, use_keyring: bool = True, deadline: float = 5.0) -> None:
        self._files = SecretFiles(folder)
        self._keyring = SystemKeyring(deadline) if use_keyring else None

    async def get(self, name: str) -> str | None:
        return await anyio.to_thread.run_sync(self.get_now, name)

    async def set(self, name: str, value: str) -> None:
        await anyio.to_thread.run_sync(self.set_now, name, value)

    async def delete(self, name: str) -> bool:
        """Whether it was there."""
        return await anyio.to_thread.run_sync(self.delete_now, name)

    def get_now(self, name: str) -> str | None:
        """What a file holds is newer: it was written when the keyring did not answer."""
        in_file = self._files.get(name)
        if in_file is not None or self._keyring is None:
            return in_file
        try:
            return self._keyring.get(name)
        except KeyringUnavailableError:
            return None

    def set_now(self, name: str, value: str) -> None:
        if self._keyring is not None:
            try:
                self._keyring.set(name, value)
            except KeyringUnavailableError:
                pass
            else:
                self._files.delete(name)
                return
        self._files.set(name, value)

    def delete_now(self, name: str) -> bool:
        there = self._files.delete(name)
        if self._keyring is None:
            return there
        try:
            return self._keyring.delete(name) or there
        except KeyringUnavailableError:
            return there

    def place(self) -> str:
        """Where the next secret goes, for people: the keyring's name or the folder."""
        name = self._keyring.name() if self._keyring else None
        return name or str(self._files.folder)

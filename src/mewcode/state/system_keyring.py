"""The keyring of the operating system, asked with a deadline: a locked one waits for a dialog that may never come."""

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

SERVICE = "mewcode"


class KeyringUnavailableError(Exception):
    """There is none, it is locked, or it refused. The reason is in the text; secrets never are."""


class SystemKeyring:
    """Each question runs in a daemon thread, so that neither a call nor the end of the process waits for it.

    The first one that misses its deadline is the last one: nobody sits through the same wait twice.
    """

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._given_up = False

    def get(self, name: str) -> str | None:
        return self._ask(lambda keyring: keyring.get_password(SERVICE, name))

    def set(self, name: str, value: str) -> None:
        self._ask(lambda keyring: keyring.set_password(SERVICE, name, value))

    def delete(self, name: str) -> bool:
        def forget(keyring: Any) -> bool:
            if keyring.get_password(SERVICE, name) is None:
                return False
            keyring.delete_password(SERVICE, name)
            return True

        return self._ask(forget)

    def name(self) -> str | None:
        """The backend's name for people; None when there is none that answers."""
        try:
            return self._ask(lambda keyring: str(keyring.name))
        except KeyringUnavailableError:
            return None

    def _ask(self, question: "Callable[[Any], Result]") -> Result:
        if self._given_up:
            raise KeyringUnavailableError("given up")
        answers: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        threading.Thread(target=_answer, args=(question, answers), name="keyring", daemon=True).start()
        try:
            answered, value = answers.get(timeout=self._deadline)
        except queue.Empty:
            self._given_up = True
            raise KeyringUnavailableError("no answer") from None
        if not answered:
            raise KeyringUnavailableError(str(value))
        return value


def _answer(question: Callable[[Any], object], answers: "queue.SimpleQueue[tuple[bool, Any]]") -> None:
    try:
        answers.put((True, question(_real_backend())))
    except Exception as error:  # noqa: BLE001 - backends raise whatever their system gives them
        answers.put((False, type(error).__name__))


def _real_backend() -> Any:
    """Backends that store in plain text or not at all have a priority below 1."""
    import keyring
    from keyring.backends import chainer

    backend: Any = keyring.get_keyring()
    candidates = backend.backends if isinstance(backend, chainer.ChainerBackend) else [backend]
    real = next((one for one in candidates if one.priority >= 1), None)
    if real is None:
        raise KeyringUnavailableError("no backend")
    return real

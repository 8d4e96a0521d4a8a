"""SIGTERM and SIGHUP end the session in order: saved, servers stopped, the terminal put back."""

import asyncio
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Caught:
    number: int = 0

    @property
    def exit_code(self) -> int:
        return 128 + self.number if self.number else 0


@contextmanager
def watch_signals(stop: Callable[[], None]) -> Generator[Caught, None, None]:
    """Calls `stop` once, at the first of these signals, in the running event loop."""
    caught = Caught()
    if sys.platform == "win32":
        yield caught
        return

    def arrived(number: int) -> None:
        caught.number = caught.number or number
        stop()

    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, arrived, number)
    try:
        yield caught
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)

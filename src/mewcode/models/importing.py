"""One thread at a time imports what speaks to models."""

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager

_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def importing() -> Generator[None, None, None]:
    """Hold this while importing pydantic_ai or a provider's SDK from a thread.

    Their modules import each other in circles. Two threads that enter such a circle at different places see modules
    half made: Python gives up its import locks rather than let them wait for each other.
    They also define thousands of classes; looking for garbage among them is an eighth of their import time.
    """
    with _ONE_AT_A_TIME:
        was_on = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if was_on:
                gc.enable()

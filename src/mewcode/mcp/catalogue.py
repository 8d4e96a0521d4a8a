"""Remembers each server's tools, so that a new session knows them before the servers are up."""

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from mewcode.mcp.definition import Era, ServerDefinition
from mewcode.mcp.shapes import as_list, as_object, as_text
from mewcode.mcp.tool_definition import ToolDefinition

VERSION = 1
ERA_IS_GOOD_FOR = 7 * 24 * 3600.0
"""Seconds after which a server that spoke the old era is asked for the new one again."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a catalogue file; a larger one is neither written nor read."""


@dataclass(frozen=True)
class Known:
    tools: tuple[ToolDefinition, ...]
    era: Era | None


class Catalogue:
    """One file a server definition in `folder`: another command, argument, variable name or url is another file."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now

    def load(self, definition: ServerDefinition) -> Known | None:
        """What was saved; None when nothing was, or when the file is of no use."""
        try:
            path = self._path(definition)
            if path.stat().st_size > LARGEST:
                return None
            saved = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return None
        members = as_object(saved)
        if members.get("version") != VERSION:
            return None
        wires = [wire for entry in as_list(members.get("tools")) if as_text((wire := as_object(entry)).get("name"))]
        fresh = self._now() - float(members.get("saved_at") or 0) < ERA_IS_GOOD_FOR
        era = as_era(members.get("era")) if fresh else None
        return Known(tuple(ToolDefinition.read(wire) for wire in wires), era)

    def save(self, definition: ServerDefinition, era: str | None, tools: Iterable[ToolDefinition]) -> None:
        """Replaces the file in one step. A cache that cannot be written costs time, not the session."""
        wires = [tool.wire for tool in tools]
        saved = {"version": VERSION, "saved_at": self._now(), "server": definition.name, "era": era, "tools": wires}
        data = json.dumps(saved, ensure_ascii=False, default=str).encode("utf-8", "replace")
        if len(data) > LARGEST:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".catalogue-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(self._path(definition))

    def forget(self, definition: ServerDefinition) -> None:
        self._path(definition).unlink(missing_ok=True)

    def _path(self, definition: ServerDefinition) -> Path:
        return self._folder / f"{definition.key[:40]}.json"


def as_era(value: object) -> Era | None:
    return "legacy" if value == "legacy" else "modern" if value == "modern" else None

"""Structured logs: JSON lines in a rotated file, with secrets taken out before they are written."""

import json
import logging
import logging.handlers
import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

LOG_FILE = "mewcode.log"
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, message, and whatever came by `extra=`."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        row: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "pid": record.process,
        }
        row.update({key: value for key, value in vars(record).items() if key not in _STANDARD})
        if record.exc_info:
            row["exception"] = self.formatException(record.exc_info)
        return json.dumps(self._clean(row), ensure_ascii=False, default=lambda value: self._redact(repr(value)))

    def _clean(self, value: Any) -> Any:
        """Redacts before anything is escaped: a secret with a quote in it must be found, too."""
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, dict):
            return {str(key): self._clean(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
        if isinstance(value, list | tuple):
            return [self._clean(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        return value


class _OwnFile(logging.handlers.RotatingFileHandler):
    """Every file it opens is readable for this user only."""

    def _open(self) -> Any:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(descriptor, self.mode, encoding=self.encoding, errors=self.errors)


def start_logging(
    folder: Path,
    *,
    level: str = "info",
    size: int = 10 * 1024**2,
    files: int = 5,
    redact: Callable[[str], str] = str,
) -> Callable[[], None]:
    """Sends all logging of this process, libraries included, to `folder`; nothing goes to the terminal.

    Returns what ends it. A folder that cannot be written costs the logs, not the program.
    """
    root = logging.getLogger()
    handler = _handler(folder, size, files)
    handler.setFormatter(JsonLines(redact))
    before = root.level
    root.addHandler(handler)
    root.setLevel(level.upper())

    def stop() -> None:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()

    return stop


def _handler(folder: Path, size: int, files: int) -> logging.Handler:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _OwnFile(folder / LOG_FILE, maxBytes=size, backupCount=files, encoding="utf-8", errors="replace")
    except OSError:
        return logging.NullHandler()

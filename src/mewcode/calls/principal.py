"""Who asks, and through which door."""

from dataclasses import dataclass
from enum import Enum


class Door(str, Enum):
    TERMINAL = "terminal"
    RUN = "run"
    TOOLS_CALL = "tools_call"
    SERVE_STDIO = "serve_stdio"
    SERVE_HTTP = "serve_http"
    ACP = "acp"


@dataclass(frozen=True)
class Principal:
    """A caller. In the terminal the local user; over HTTP whoever the verified token names."""

    name: str
    roles: tuple[str, ...] = ()
    door: Door = Door.TERMINAL

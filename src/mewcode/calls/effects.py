"""What a call would do and to what: the view that rules, roles and the audit have of it."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Effects:
    """What a tool may do in general. For MCP tools these come from annotations: hints, untrusted."""

    reads: bool = False
    writes: bool = False
    executes: bool = False
    network: bool = False
    destructive: bool = False

    @property
    def only_reads(self) -> bool:
        return not (self.writes or self.executes or self.network or self.destructive)


class SubjectKind(str, Enum):
    PATH = "path"
    COMMAND = "command"
    URL = "url"
    TEXT = "text"


class Access(str, Enum):
    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"
    SEND = "send"


@dataclass(frozen=True)
class Subject:
    """One thing a call would touch. A path's value is as the caller wrote it; whoever judges it resolves it."""

    kind: SubjectKind
    value: str
    access: Access

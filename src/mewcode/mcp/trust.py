"""Which servers may be started at all: those of a project only once trusted, and only allowed commands."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath

from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.inline_code import inline_code
from mewcode.messages import message
from mewcode.tools import ServerState


@dataclass(frozen=True)
class Refusal:
    state: ServerState
    text: str


@dataclass(frozen=True)
class Gatekeeper:
    """`allowed_commands` are names (`npx`), patterns of whole paths (`/opt/mcp/*`), or, with a blank in them, patterns
    of whole command lines (`npx -y @acme/*`); None allows every command.

    The name of a launcher allows what it is installed for. Code on its command line, and a search path of the entry's
    own, would run anything under its name: these take a pattern of the whole line.
    """

    allowed_commands: Sequence[str] | None = None

    def allows(self, definition: ServerDefinition) -> bool:
        return self.refusal(definition) is None

    def refusal(self, definition: ServerDefinition) -> Refusal | None:
        """Why a server must not be started; None when it may."""
        if not definition.trusted:
            text = message("mcp.needs_trust", server=definition.name, target=definition.target)
            return Refusal(ServerState.NEEDS_TRUST, text)
        if definition.problem is not None:
            return Refusal(ServerState.FAILED, definition.problem)
        if definition.command and (why := self._forbidden(definition)) is not None:
            return Refusal(ServerState.FAILED, why)
        return None

    def _forbidden(self, definition: ServerDefinition) -> str | None:
        """Why the list does not allow the command."""
        if self.allowed_commands is None or self._line_allowed(definition.command):
            return None
        command, server = definition.command[0], definition.name
        if not self._command_allowed(command):
            allowed = ", ".join(self.allowed_commands) or "-"
            return message("mcp.command_not_allowed", server=server, command=command, allowed=allowed)
        own_path = any(name.upper() == "PATH" for name in definition.env) and PurePath(command).name == command
        if what := inline_code(definition.command) or ("by the PATH of its entry" if own_path else None):
            return message("mcp.code_not_allowed", server=server, command=command, what=what)
        return None

    def _line_allowed(self, command: Sequence[str]) -> bool:
        line = shlex.join(command)
        return any(" " in pattern and fnmatchcase(line, pattern) for pattern in self.allowed_commands or ())

    def _command_allowed(self, command: str) -> bool:
        """A bare name in the list allows that bare name only: `./npx` is another program than `npx`."""
        if ".." in PurePath(command).parts:
            return False
        return any(fnmatchcase(command, pattern) for pattern in self.allowed_commands or ())

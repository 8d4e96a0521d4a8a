"""Which servers may be started at all: those of a project only once trusted, and only allowed commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath

from mewcode.mcp.definition import ServerDefinition
from mewcode.messages import message
from mewcode.tools import ServerState


@dataclass(frozen=True)
class Refusal:
    state: ServerState
    text: str


@dataclass(frozen=True)
class Gatekeeper:
    """`allowed_commands` are names (`npx`) or patterns of whole paths (`/opt/mcp/*`); None allows every command."""

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
        if definition.command and not self._command_allowed(definition.command[0]):
            allowed = ", ".join(self.allowed_commands or ()) or "-"
            text = message(
                "mcp.command_not_allowed", server=definition.name, command=definition.command[0], allowed=allowed
            )
            return Refusal(ServerState.FAILED, text)
        return None

    def _command_allowed(self, command: str) -> bool:
        """A bare name in the list allows that bare name only: `./npx` is another program than `npx`."""
        if self.allowed_commands is None:
            return True
        if ".." in PurePath(command).parts:
            return False
        return any(fnmatchcase(command, pattern) for pattern in self.allowed_commands)

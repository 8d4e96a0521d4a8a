"""The slash commands, a module for each group."""

from mewcode.terminal.commands.basic import BASIC
from mewcode.terminal.commands.policy import POLICY
from mewcode.terminal.commands.project import PROJECT
from mewcode.terminal.commands.servers import SERVERS
from mewcode.terminal.commands.sessions import SESSIONS
from mewcode.terminal.slash import Command

ALL: tuple[Command, ...] = (*BASIC[:-2], *SERVERS, *POLICY, *SESSIONS, *PROJECT, *BASIC[-2:])

__all__ = ["ALL"]

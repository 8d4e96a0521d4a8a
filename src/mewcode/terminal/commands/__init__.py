"""The slash commands, a module for each group."""

from mewcode.terminal.commands.basic import BASIC
from mewcode.terminal.slash import Command

ALL: tuple[Command, ...] = (*BASIC,)

__all__ = ["ALL"]

"""The six built-in tools, and the agent's list of things to do."""

from mewcode.tools.builtin.settings import BuiltinSettings
from mewcode.tools.builtin.toolset import builtin_tools

__all__ = ["BuiltinSettings", "builtin_tools"]

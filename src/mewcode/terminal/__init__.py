"""The interactive door: a screen that consumes the agent's events."""

from mewcode.terminal.opening import open_terminal

__all__ = ["open_terminal"]

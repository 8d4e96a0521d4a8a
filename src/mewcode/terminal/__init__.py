"""The interactive door: a screen that consumes the agent's events. `opening.open_terminal` opens it."""

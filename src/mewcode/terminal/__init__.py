"""The interactive door: a screen that consumes the agent's events."""

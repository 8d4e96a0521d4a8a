"""The loop, the context, sessions and events."""

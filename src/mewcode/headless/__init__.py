"""The door for scripts and CI: run and its output streams."""

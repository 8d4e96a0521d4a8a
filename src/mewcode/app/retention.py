"""Conversations that are older than the settings keep them go, with all that was kept of them."""

from mewcode.agent import SessionStore
from mewcode.workspace.checkpoints import Checkpoints


def remove_old_sessions(sessions: SessionStore, checkpoints: Checkpoints, seconds: float) -> None:
    """File work: call it in a thread. `seconds` is `sessions.retention`."""
    for session in sessions.remove_old(seconds):
        checkpoints.forget(session)

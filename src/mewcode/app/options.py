"""What a door tells the composition root."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mewcode.calls import Door, Principal

if TYPE_CHECKING:
    from mewcode.app.asked import Ask
    from mewcode.governance.sessions import Sessions
    from mewcode.mcp import ElicitationPort, Observer, SamplingPort


def _environment() -> Mapping[str, str]:
    return dict(os.environ)


@dataclass(frozen=True)
class AppOptions:
    """Nothing here is looked up again later: two apps in one process with different options do not meet.

    `allow`, `deny` and `confirm` are rules of the command line. `overrides` are settings of the command line by dotted
    name. `principal` is who calls, the local user when None. `servers` restricts which servers are started (None: all).
    """

    door: Door
    workspace: Path
    model: str | None = None
    mode: str | None = None
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    confirm: tuple[str, ...] = ()
    trust_project: bool = False
    mcp_config: Path | None = None
    principal: str | None = None
    servers: tuple[str, ...] | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict[str, Any])
    environ: Mapping[str, str] = field(default_factory=_environment, repr=False)
    model_first: bool = False
    """A request to the model will follow at once: the SDK of MCP is imported behind it, where all tools are known."""
    roots: "Callable[[Principal], tuple[Path, ...]] | None" = None
    """Where a principal's calls may work, where that is not simply the workspace; resolved."""
    folders: tuple[Path, ...] = ()
    """All folders that calls of some principal may work in, where those are several: commands of one principal see none
    that is not its own."""
    loop_guard: bool = True
    """Whether the same call many times in a row asks, also where no setting says so: our own agent may be in a loop; a
    client of the server that asks for the same thing again may well be polling."""
    elicitation: "ElicitationPort | None" = None
    sampling: "SamplingPort | None" = None
    """Instead of the app's own, which asks through the gate."""
    sessions: "Sessions | None" = None
    """What an earlier house of the same door knows of its sessions (what entered them from outside, what was approved);
    None to begin anew."""
    ask: "Ask | None" = None
    """Asks the person what the gate wants to know about calls that the door did not make: a server's request to our
    model. None: nobody is there."""
    observer: "Observer | None" = None
    observer_of: "Callable[[str], Observer] | None" = None
    """Who hears of a principal's own connections to servers."""
    many_principals: bool = False
    """Whether calls come from several principals: then each has connections of its own to the servers that are marked
    so (`credentials: principal`)."""

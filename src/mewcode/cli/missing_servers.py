"""Says beside a list of tools which servers are not in it: a list that is only shorter would mislead."""

from typing import TYPE_CHECKING

from mewcode.cli.output import note
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.app.house import App


def say_missing_servers(house: "App") -> None:
    """A note for each server that should be there. One that was switched off is not missing."""
    from mewcode.tools import ServerState

    for name, server in house.servers.servers.items():
        source = server.source
        if source.state not in (ServerState.READY, ServerState.OFF):
            note(message("cli.server_not_there", server=name, state=source.state.value, error=source.error or "-"))

"""What is known of one attempt to connect, for whoever has to explain its failure."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from mewcode.mcp.transports.process import ServerProcess
    from mewcode.mcp.transports.soft import SoftTransport
    from mewcode.mcp.transports.stderr import StandardError
    from mewcode.mcp.wire import Wire


@dataclass
class Attempt:
    """`number` counts the failures before it; `lost` is set when the connection has to be opened anew; `stage` names
    what was being done."""

    number: int
    lost: anyio.Event = field(default_factory=anyio.Event)
    stage: str = "start"
    server: "ServerProcess | None" = None
    errors: "StandardError | None" = None
    wire: "Wire | None" = None
    soft: "SoftTransport | None" = None

    @property
    def died_of_probe(self) -> bool:
        """Whether the server ended while it was asked for its era: some end at a method they do not know."""
        return self.wire is not None and self.wire.probed and self.wire.closed.is_set()

    @property
    def exit_code(self) -> int | None:
        return None if self.server is None else self.server.process.returncode

    @property
    def stderr(self) -> str:
        return "" if self.errors is None else self.errors.tail()

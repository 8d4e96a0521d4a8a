"""What a server may send or ask by itself, as the connection takes it: our own types, no SDK."""

from pathlib import Path
from typing import Protocol

from mewcode.mcp.ports import Elicitation, ElicitationAnswer, SamplingAnswer, SamplingRequest


class Hooks(Protocol):
    """Implemented by the connection. What `elicits` and `samples` deny is not declared to the server."""

    server: str

    @property
    def elicits(self) -> bool: ...

    @property
    def samples(self) -> bool: ...

    async def elicit(self, request: Elicitation) -> ElicitationAnswer: ...

    async def sample(self, request: SamplingRequest) -> SamplingAnswer | None: ...

    def roots(self) -> tuple[Path, ...]: ...

    async def log(self, level: str, text: str) -> None: ...

    def noise(self, text: str) -> None: ...

    def listening(self) -> None:
        """The stream of changes stands: what changed before is to be asked for."""
        ...

    def tools_changed(self) -> None: ...

    def lists_changed(self) -> None:
        """Its prompts or resources are others than before."""
        ...

    def resource_updated(self, uri: str) -> None: ...

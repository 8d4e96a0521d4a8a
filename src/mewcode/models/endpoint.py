"""Where a model is served: provider, address, key, headers. Worked out once, from settings and environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from mewcode.config.header_values import unfit_at
from mewcode.errors import ModelError
from mewcode.models.catalogue import WireFormat
from mewcode.models.prices import Prices

IDLE_SECONDS = 60.0
"""How long an answer may go without a single byte."""
LOCAL_IDLE_SECONDS = 300.0
"""The same for a server on this machine, which may be loading weights or reading a long prompt."""


@dataclass(frozen=True)
class Endpoint:
    """Everything that a client needs. The key never appears in a repr."""

    provider: str
    model: str
    wire: WireFormat
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    vendor: str | None = None
    context_window: int | None = None
    prices: Prices | None = None
    idle_seconds: float = IDLE_SECONDS
    key_variables: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def on_this_machine(self) -> bool:
        host = urlsplit(self.base_url or "").hostname or ""
        return host in {"localhost", "127.0.0.1", "::1"}

    def sendable(self) -> "Endpoint":
        """With key and headers as they go out, without blanks around them. Raises ModelError for a value that no header
        can carry, and does not say the value: the HTTP library's error would."""
        for name, value in {"api_key": self.api_key or "", **self.headers}.items():
            place = unfit_at(value)
            if place is not None:
                source = " / ".join([f"providers.{self.provider}", *self.key_variables])
                raise ModelError("models.unfit_header", what=name, provider=self.provider, place=place, source=source)
        headers = {name: value.strip() for name, value in self.headers.items()}
        return replace(self, api_key=self.api_key and self.api_key.strip(), headers=headers)

    def without_secrets(self, text: str) -> str:
        """`text` with the key and the header values taken out: providers like to quote them in their errors."""
        for secret in (self.api_key, *self.headers.values()):
            if secret and len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, "…")
        return text


_SHORTEST_SECRET = 6

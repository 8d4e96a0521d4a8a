"""What commands and stdio servers are kept away from by the operating system."""

from typing import Any, Literal

from pydantic import Field, model_validator

from mewcode.config.schema.base import Group
from mewcode.config.shapes import as_mapping


class SandboxSettings(Group):
    """Written as a word (off, workspace, strict) or with its details."""

    mode: Literal["off", "workspace", "strict"] | None = None
    """off; workspace (write in the roots and a private temporary folder); strict (read there only, too). When absent:
    workspace where the platform can, else off, and said so."""
    network: bool | list[str] = False
    """Whether the network may be reached; a list names the hosts."""
    hidden: list[str] = Field(default_factory=list[str])
    """Further paths that cannot be read; keys, browser profiles and MewCode's own files never can."""
    writable: list[str] = Field(default_factory=list[str])
    """Further folders that may be written (a compiler's cache)."""

    @model_validator(mode="before")
    @classmethod
    def _from_a_word(cls, data: Any) -> Any:
        """YAML 1.1 reads off as false; both mean off."""
        if data is False:
            return {"mode": "off"}
        if isinstance(data, str) or data is True:
            return {"mode": data}
        mapping = as_mapping(data)
        return {**mapping, "mode": "off"} if mapping and mapping.get("mode") is False else data

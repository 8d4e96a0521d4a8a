"""The contract that every tool keeps, built-in or from an MCP server."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from mewcode.calls import Effects, Json, Subject, ToolCall, ToolResult

DEFAULT_DEADLINE = 60.0
"""Seconds a call may take when neither the tool nor the settings say otherwise."""


class Tool(ABC):
    """One tool. The registry holds instances only; nothing but the gate calls `execute`.

    `name` is what the model calls, unique in a registry; `server` and `original_name` are what rules, audit and the
    wire use (`server` is None for a built-in). `deferred` keeps the full schema out of the model's list until
    ToolSearch finds it; `called_unseen` says that doors call it for a person, whose model was never shown the schema.
    `parameters` is the JSON Schema that arguments are validated against. `owner` is the principal whose credentials
    stand behind it: nobody else sees or calls it; None for what is everybody's.
    """

    name: str
    description: str
    parameters: Mapping[str, Json]
    effects: Effects = Effects()
    main_argument: str | None = None
    deferred: bool = False
    called_unseen: bool = False
    server: str | None = None
    owner: str | None = None
    title: str | None = None
    output_schema: Mapping[str, Json] | None = None

    @property
    def original_name(self) -> str:
        return self.name

    @property
    def listed_name(self) -> str:
        """What doors that list by principal call it: unique among what one principal sees, where `name` is unique for
        all."""
        return self.name

    @property
    def model_parameters(self) -> Mapping[str, Json]:
        """The portable copy of the schema that a language model gets."""
        return self.parameters

    def definition_fingerprint(self) -> str:
        """Identifies what was approved: a changed definition asks again."""
        return ""

    def subjects(self, arguments: Mapping[str, Json]) -> tuple[Subject, ...]:
        """The paths, commands and URLs that a call with these (valid) arguments would touch."""
        return ()

    def effects_of(self, arguments: Mapping[str, Json]) -> Effects:
        """What this very call would do; a tool with several actions narrows its general effects."""
        return self.effects

    def server_of(self, arguments: Mapping[str, Json]) -> str | None:
        """The MCP server that this very call speaks to, None for none; a tool over several servers is told which."""
        return self.server

    def deadline(self, arguments: Mapping[str, Json]) -> float:
        """Seconds after which the gate cancels the call, unless the settings give another deadline."""
        return DEFAULT_DEADLINE

    @abstractmethod
    async def execute(self, call: ToolCall) -> ToolResult:
        """Does it. Cancelling the task cancels the work, down to the process group or the MCP cancellation.

        Expected failures are results with `is_error`; a `ToolFailedError` or `WorkspaceError` raised here becomes one.
        """

    async def end_session(self, session: str) -> None:
        """Lets go of whatever the tool keeps for a session."""
        return

    def to_listing(self) -> dict[str, Any]:
        """The row of `mewcode tools list --json`."""
        return {
            "name": self.name,
            "server": self.server,
            "tool": self.original_name,
            "deferred": self.deferred,
            "description": self.description,
        }

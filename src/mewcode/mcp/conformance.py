"""The client under test of the official conformance suite: `python -m mewcode.mcp.conformance URL`.

It goes through the same manager, connection and wrappers as everything else. The suite says by environment variables
which scenario it plays: MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT (JSON).
"""

import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import mcp.client.session as sdk_session

from mewcode.calls import Principal, ToolCall, ToolResult
from mewcode.mcp.conformance_auth import ScenarioLogin
from mewcode.mcp.definition import ServerDefinition
from mewcode.mcp.manager import MCPManager
from mewcode.mcp.ports import Elicitation, ElicitationAnswer, Ports, SamplingAnswer, SamplingRequest
from mewcode.mcp.shapes import as_list, as_object
from mewcode.mcp.surroundings import Surroundings
from mewcode.mcp.transports.watchdog import Watchdog
from mewcode.tools import ServerState, ToolRegistry

SERVER = "conformance"
PATIENCE = 240.0
"""Seconds. The suite's own limit is what counts; it starts all scenarios at once, which takes a small machine long."""


@dataclass(frozen=True)
class Scenario:
    """What the suite asked for."""

    name: str
    version: str
    context: Mapping[str, Any]
    url: str

    @property
    def is_old(self) -> bool:
        """Whether it is about a revision before 2026-07-28."""
        return bool(self.version) and self.version < "2026"


class Accepting:
    """Fills in every form with the defaults of its schema, and `confirmed`, where it asks for that."""

    async def ask(self, request: Elicitation, call: ToolCall | None) -> ElicitationAnswer:
        properties = as_object(request.schema.get("properties"))
        content = {name: field["default"] for name, field in properties.items() if "default" in as_object(field)}
        if "confirmed" in properties:
            content["confirmed"] = True
        return ElicitationAnswer("accept", content)


class Answering:
    """Answers every request for sampling with the same words."""

    async def create(self, request: SamplingRequest, call: ToolCall | None) -> SamplingAnswer | None:
        return SamplingAnswer("An answer.", "none")


class Player:
    """Plays a scenario over a manager that has come to rest."""

    def __init__(self, manager: MCPManager, scenario: Scenario) -> None:
        self._manager = manager
        self._context = scenario.context

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        found = self._manager.registry.find(SERVER, tool)
        if found is None:
            raise SystemExit(f"there is no tool {tool}")
        return await found.execute(ToolCall(found.name, arguments, "conformance", Principal("conformance")))

    async def list_only(self) -> None:
        """The manager has listed the tools already."""

    async def add_numbers(self) -> None:
        await self.call("add_numbers", a=5, b=3)

    async def reconnect(self) -> None:
        await self.call("test_reconnection")

    async def elicit(self) -> None:
        await self.call("test_client_elicitation_defaults")

    async def answer_and_echo_state(self) -> None:
        for tool in ("test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"):
            await self.call(tool)

    async def echo_schema(self) -> None:
        """The original schema, not the model's copy, is what goes on."""
        tool = self._manager.registry.find(SERVER, "json_schema_2020_12_tool")
        definition = next(t for t in self._manager.servers[SERVER].tools if tool and t.name == tool.original_name)
        await self.call("json_schema_echo", schema=definition.wire["inputSchema"])

    async def replay(self) -> None:
        for planned in as_list(self._context.get("toolCalls")):
            await self.call(planned["name"], **as_object(planned.get("arguments")))

    async def call_all(self) -> None:
        for tool in self._manager.servers[SERVER].tools:
            await self.call(tool.name)

    async def call_first(self) -> None:
        for tool in self._manager.servers[SERVER].tools[:1]:
            await self.call(tool.name)

    def part(self, scenario: str) -> Callable[[], Awaitable[None]]:
        """What to do in a scenario, after connecting and listing."""
        parts: dict[str, Callable[[], Awaitable[None]]] = {
            "initialize": self.list_only,
            "json-schema-ref-no-deref": self.list_only,
            "tools_call": self.add_numbers,
            "request-metadata": self.call_all,
            "http-standard-headers": self.call_all,
            "sse-retry": self.reconnect,
            "elicitation-sep1034-client-defaults": self.elicit,
            "sep-2322-client-request-state": self.answer_and_echo_state,
            "json-schema-2020-12-preservation": self.echo_schema,
            "http-custom-headers": self.replay,
            "http-invalid-tool-headers": self.call_all,
        }
        return parts.get(scenario, self.call_first if scenario.startswith("auth/") else self.list_only)


async def play(scenario: Scenario) -> int:
    """0 when the scenario could be played to its end, 1 when the server could not be reached or did not let us in."""
    definition = ServerDefinition(
        SERVER,
        url=scenario.url,
        era="legacy" if scenario.is_old or scenario.name == "json-schema-ref-no-deref" else "auto",
        timeout=PATIENCE,
        connect_timeout=PATIENCE,
        probe_timeout=PATIENCE / 3,
        sampling=True,
    )
    auth = ScenarioLogin(scenario.name, scenario.context) if scenario.name.startswith("auth/") else None
    ports = Ports(elicitation=Accepting(), sampling=Answering())
    around = Surroundings(Path.cwd(), Watchdog(), ports=ports, auth=auth)
    async with MCPManager([definition], ToolRegistry(), around) as manager:
        state = await manager.wait_ready(SERVER)
        if state is not ServerState.READY:
            sys.stderr.write(f"{manager.servers[SERVER].source.error}\n")
            return 1
        await Player(manager, scenario).part(scenario.name)()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the scenario that the environment names against the URL that comes last on the command line."""
    scenario = Scenario(
        name=os.environ.get("MCP_CONFORMANCE_SCENARIO", "tools_call"),
        version=os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", ""),
        context=as_object(json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")),
        url=(sys.argv if arguments is None else arguments)[-1],
    )
    # The suite starts all scenarios at once: on a small machine its servers need longer than the SDK's ten seconds.
    sdk_session.DISCOVER_TIMEOUT_SECONDS = PATIENCE
    return anyio.run(play, scenario)


if __name__ == "__main__":
    raise SystemExit(main())

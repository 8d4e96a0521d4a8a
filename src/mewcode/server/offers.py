"""The offer of the house that serves now, and what a call by name means in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import mcp_types as t

from mewcode.app.house import App
from mewcode.calls import Principal, ToolCall, ToolResult
from mewcode.server.callers import Caller
from mewcode.server.offer import Naming, Offer
from mewcode.server.options import ServeOptions
from mewcode.server.workspaces import notes_for
from mewcode.tools import ServerSource, ServerState, Tool

CALL_TOOL = "call_tool"


class CallTool(Tool):
    """Stands for every upstream tool where only a search is offered. Never executed: the call is that of its tool."""

    name = CALL_TOOL
    description = (
        "Calls a tool that tool_search found, by its name, with the arguments that its definition asks for. Search "
        "first: a tool that was not loaded answers with its definition."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "description": "As tool_search gave it."},
            "arguments": {"type": "object", "description": "The tool's own arguments."},
        },
        "required": ["name"],
        "additionalProperties": False,
    }

    async def execute(self, call: ToolCall) -> ToolResult:
        raise AssertionError("the door calls the tool that is meant")


class AbsentTool(Tool):
    """A tool of a server that is not there: just enough to ask the policy who may know of it."""

    description = ""
    parameters: Mapping[str, Any] = {"type": "object"}

    def __init__(self, name: str, source: ServerSource) -> None:
        self.name = name
        self.server = source.name
        self._original = name.removeprefix(source.prefix)

    @property
    def original_name(self) -> str:
        return self._original

    async def execute(self, call: ToolCall) -> ToolResult:
        raise AssertionError("it is not there")


class DirectOffer(Offer):
    """Every tool by its name; its definition was in the list, so that it counts as loaded."""

    def resolve(
        self, caller: Caller, params: t.CallToolRequestParams, app: App
    ) -> tuple[Tool | None, t.CallToolRequestParams]:
        tool = self.find(caller.principal, params.name, app)
        if tool is not None:
            app.discovery.discovered.load(caller.session, tool)
        return tool, params

    def find(self, principal: Principal, name: str, app: App) -> Tool | None:
        """Also by the name that tool_search gives, and a tool of a server that is away, for whoever would be offered
        it: the gate says so then."""
        tools = self.tools(principal)
        tool = tools.get(name) or next((one for one in tools.values() if one.name == name), None)
        if tool is not None or (source := app.registry.source_of(name, principal.name)) is None:
            return tool
        if source.state is ServerState.READY:
            return None
        absent = AbsentTool(name, source)
        return absent if app.policy.visible(principal, absent) else None


@dataclass
class SearchOffer:
    """Upstream tools stand behind tool_search and call_tool."""

    whole: DirectOffer
    search: Tool
    call: CallTool = field(default_factory=CallTool)

    def tools(self, principal: Principal) -> Mapping[str, Tool]:
        own = {name: tool for name, tool in self.whole.tools(principal).items() if tool.server is None}
        return {**own, self.search.name: self.search, self.call.name: self.call}

    def resolve(
        self, caller: Caller, params: t.CallToolRequestParams, app: App
    ) -> tuple[Tool | None, t.CallToolRequestParams]:
        tool = self.tools(caller.principal).get(params.name)
        if tool is not self.call:
            return (tool, params) if tool is not None else self.whole.resolve(caller, params, app)
        arguments: Mapping[str, Any] = params.arguments or {}
        inner = arguments.get("arguments")
        name = str(arguments.get("name") or "")
        wanted = params.model_copy(
            update={"name": name, "arguments": cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}}
        )
        return self.whole.find(caller.principal, name, app), wanted


@dataclass
class Offers:
    """By the settings of each house, and what the command line says before them."""

    options: ServeOptions
    _kept: tuple[App, DirectOffer | SearchOffer] | None = None

    def of(self, app: App) -> DirectOffer | SearchOffer:
        if self._kept is None or self._kept[0] is not app:
            settings = app.settings.server
            direct = DirectOffer(app.registry, app.policy, frozenset(settings.tools), self.naming(app))
            searched = (self.options.discovery or settings.discovery) == "search"
            search = app.registry.get("tool_search") if searched else None
            self._kept = (app, direct if search is None else SearchOffer(direct, search))
        return self._kept[1]

    def notes(self, app: App, principal: Principal) -> str:
        return notes_for(principal, self.options.workspaces, app.loaded)

    def naming(self, app: App) -> Naming:
        prefix = self.options.prefix
        return Naming(app.settings.server.prefix if prefix is None else prefix)

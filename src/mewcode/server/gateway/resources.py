"""Resources: those of the workspaces, read by read_file, and those of upstream servers, read by read_resource."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as t
from pydantic import ValidationError

from mewcode.app.house import App
from mewcode.calls import Effect, Principal
from mewcode.governance.request import Request
from mewcode.server.gateway.listings import listed
from mewcode.server.workspaces import names_for

SCHEME = "workspace://"
FIRST = ("README.md", "README.zh-CN.md", "AGENTS.md", "MEWCODE.md", "CONTRIBUTING.md")
TREE = "?tree"
READ_UPSTREAM = "read_resource"


class Resources:
    """`workspaces` are the served folders by name."""

    def __init__(self, workspaces: Mapping[str, Path]) -> None:
        self._workspaces = workspaces

    async def listing(self, app: App, principal: Principal) -> list[t.Resource]:
        own = list(self._own(app, principal))
        if not sees(app, principal, READ_UPSTREAM):
            return own
        return own + _distinct(t.Resource, [one.wire for one in await listed(app, principal, "resources")], "uri")

    async def templates(self, app: App, principal: Principal) -> list[t.ResourceTemplate]:
        own = [
            t.ResourceTemplate(
                uri_template=f"{SCHEME}{quote(name)}/{{+path}}",
                name=f"{name} files",
                description="A file of the workspace, by its path.",
            )
            for name in self._open_to(app, principal)
        ]
        if not sees(app, principal, READ_UPSTREAM):
            return own
        wires = [one.wire for one in await listed(app, principal, "templates")]
        return own + _distinct(t.ResourceTemplate, wires, "uriTemplate")

    async def target(self, app: App, principal: Principal, uri: str) -> tuple[str, dict[str, Any]] | None:
        """The tool that reads it, with its arguments; None for a URI that nobody here has."""
        if uri.startswith(SCHEME):
            return self._own_target(app, principal, uri)
        server = await self._owner(app, principal, uri) if sees(app, principal, READ_UPSTREAM) else None
        return None if server is None else (READ_UPSTREAM, {"server": server, "uri": uri})

    def _own(self, app: App, principal: Principal) -> Iterator[t.Resource]:
        tool = app.registry.get("read_file")
        for name in self._open_to(app, principal):
            folder = self._workspaces[name]
            for file in FIRST:
                request = None if tool is None else Request(tool, {"path": str(folder / file)}, principal, (folder,))
                if request is None or not (folder / file).is_file():
                    continue
                if app.policy.judge(request).effect is not Effect.DENY:
                    yield t.Resource(uri=f"{SCHEME}{quote(name)}/{file}", name=file, mime_type="text/markdown")
            if sees(app, principal, "find_files"):
                yield t.Resource(uri=f"{SCHEME}{quote(name)}/{TREE}", name=f"{name} tree", mime_type="text/plain")

    def _own_target(self, app: App, principal: Principal, uri: str) -> tuple[str, dict[str, Any]] | None:
        name, _, path = uri.removeprefix(SCHEME).partition("/")
        folder = self._workspaces.get(unquote(name))
        if folder is None or unquote(name) not in self._open_to(app, principal):
            return None
        if path == TREE:
            return "find_files", {"pattern": "**", "path": str(folder), "sort": "name"}
        return "read_file", {"path": str(folder / unquote(path)), "full": True}

    def _open_to(self, app: App, principal: Principal) -> tuple[str, ...]:
        if not sees(app, principal, "read_file"):
            return ()
        return names_for(principal, self._workspaces, app.loaded)

    async def _owner(self, app: App, principal: Principal, uri: str) -> str | None:
        for one in await listed(app, principal, "resources"):
            if one.wire.get("uri") == uri:
                return one.server
        for one in await listed(app, principal, "templates"):
            if _fits(str(one.wire.get("uriTemplate")), uri):
                return one.server
        return None


def sees(app: App, principal: Principal, tool_name: str) -> bool:
    """Whether the principal's rules give it the tool that would do the reading."""
    tool = app.registry.get(tool_name)
    return tool is not None and app.policy.visible(principal, tool)


def _fits(template: str, uri: str) -> bool:
    """Whether a URI may come from a template (RFC 6570), read generously: the server decides in the end."""
    parts = re.split(r"\{[^}]*\}", template)
    return re.fullmatch(".+".join(re.escape(part) for part in parts), uri, re.DOTALL) is not None


def _distinct(kind: Any, wires: list[Mapping[str, Any]], identity: str) -> list[Any]:
    """The first of each; what the specification does not take is left out."""
    first = {str(wire[identity]): wire for wire in reversed(wires)}
    ordered = dict.fromkeys(str(wire[identity]) for wire in wires)
    return [entry for key in ordered if (entry := _read(kind, first[key])) is not None]


def _read(kind: Any, wire: Mapping[str, Any]) -> Any:
    try:
        return kind.model_validate(wire, by_name=False)
    except ValidationError:
        return None

"""The MCP servers of the settings, ready to be started, and the tools that look into them."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import anyio

from mewcode.app.options import AppOptions
from mewcode.app.sampling import GatedSampling, SampleModel, SessionModels
from mewcode.app.sandbox import server_sandbox
from mewcode.app.tool_changes import watching
from mewcode.config import LoadedSettings, Paths
from mewcode.governance import Gate
from mewcode.mcp import MCPManager, Observer, Ports, ServerDefinition
from mewcode.mcp.launch import manager_of
from mewcode.mcp.ports import SilentObserver
from mewcode.mcp.principals import principal_rules
from mewcode.tools import ToolRegistry

LONGEST_HOLD = 10.0
"""Seconds for which the import of the SDK makes way for the first request to the model, while nobody waits for a
server: more than a slow machine needs for its own imports."""


class FirstRequest:
    """`is_out` is set when the first request to a model has left."""

    def __init__(self) -> None:
        self.is_out = anyio.Event()

    async def wait(self, *unless: anyio.Event) -> None:
        """Until the request is out, or one of `unless` is set."""
        with anyio.move_on_after(LONGEST_HOLD):
            async with anyio.create_task_group() as tasks:

                async def end_with(event: anyio.Event) -> None:
                    await event.wait()
                    tasks.cancel_scope.cancel()

                for event in (self.is_out, *unless):
                    tasks.start_soon(end_with, event)


def open_manager(
    options: AppOptions,
    loaded: LoadedSettings,
    paths: Paths,
    registry: ToolRegistry,
    first_request: FirstRequest,
    gate: Gate,
    models: SessionModels,
) -> MCPManager:
    """Makes the manager; nothing is started before it is entered."""
    sampling = options.sampling or _sampling(options, loaded, registry, gate, models)
    manager = manager_of(
        loaded,
        paths,
        registry,
        ports=Ports(
            options.elicitation,
            sampling,
            watching(options.observer or SilentObserver(), gate.changes),
            lambda principal: watching(_observer_of(options, principal), gate.changes, principal),
        ),
        only=options.servers,
        wrap=lambda definition: _wrap(definition, loaded, paths),
        roots=lambda: (options.workspace,),
        import_sdk_when=_when_known(registry, first_request) if options.model_first else None,
        principals=principal_rules(loaded) if options.many_principals else None,
    )
    if manager.servers:
        from mewcode.mcp.client_tools import client_tools

        for tool in client_tools(manager):
            registry.add(tool)
    return manager


def _observer_of(options: AppOptions, principal: str) -> Observer:
    return options.observer_of(principal) if options.observer_of else SilentObserver()


def _sampling(
    options: AppOptions, loaded: LoadedSettings, registry: ToolRegistry, gate: Gate, models: SessionModels
) -> GatedSampling | None:
    """The road from servers to our model; there is none unless the entry of some server opens it."""
    if not any(entry.sampling for entry in loaded.settings.mcp_servers.values()):
        return None
    tool = SampleModel(models)
    registry.add(tool)
    return GatedSampling(tool, gate, options.ask)


def _when_known(registry: ToolRegistry, first_request: FirstRequest) -> Callable[[], Awaitable[None]]:
    """With all tools known from earlier sessions the request goes out first; an unknown server is asked at once, and so
    is one that somebody waits for."""

    async def when() -> None:
        if all(registry.of_server(name) for name in registry.sources):
            await first_request.wait(*(source.wanted for source in registry.sources.values()))

    return when


def _wrap(
    definition: ServerDefinition, loaded: LoadedSettings, paths: Paths
) -> "Callable[[Sequence[str], Path], Sequence[str]] | None":
    """The sandbox of a server, where its entry or the settings ask for one."""
    sandbox = server_sandbox(definition.sandbox, loaded, paths)
    if sandbox is None:
        return None

    def wrap(argv: Sequence[str], directory: Path) -> Sequence[str]:
        return sandbox.wrap_server(argv, directory, roots=(loaded.workspace,), network=sandbox.network)

    return wrap

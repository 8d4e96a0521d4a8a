"""The composition root: reads settings, builds registry, gate, connections and agent; the only place that wires."""

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from mewcode.agent import Agent, Session, SessionStore
from mewcode.app.agents import build_agent
from mewcode.app.builtins import builtin_settings
from mewcode.app.discovery import Discovery
from mewcode.app.gate import build_gate, open_audit
from mewcode.app.limits import build_limits
from mewcode.app.loading import load_for
from mewcode.app.models import choose, open_chosen
from mewcode.app.options import AppOptions
from mewcode.app.policy import build_policy
from mewcode.app.principals import principal_of
from mewcode.app.retention import remove_old_sessions
from mewcode.app.sampling import SessionModels
from mewcode.app.sandbox import LazySandbox
from mewcode.app.secrets import redactor_of
from mewcode.app.servers import FirstRequest, open_manager
from mewcode.calls import Principal, ToolResult
from mewcode.config import LoadedSettings, Paths, Settings
from mewcode.governance import Gate, Policy
from mewcode.governance.audit import AuditLog
from mewcode.mcp import MCPManager
from mewcode.models import LanguageModel, ModelChoice, warm
from mewcode.state import start_logging
from mewcode.tools import ToolRegistry
from mewcode.tools.builtin import builtin_tools
from mewcode.tools.search import DiscoveredTools, SearchLimits, ToolSearch
from mewcode.workspace.checkpoints import Checkpoints
from mewcode.workspace.jobs import Jobs

if TYPE_CHECKING:
    from mewcode.tools.search.semantic import Meaning

__all__ = ["App", "open_app", "warm_model"]


@dataclass(frozen=True)
class App:
    """Everything of one running MewCode. Doors take what they need from it and know nothing of how it was made."""

    options: AppOptions
    paths: Paths
    loaded: LoadedSettings
    principal: Principal
    registry: ToolRegistry
    policy: Policy
    gate: Gate
    audit: AuditLog
    servers: MCPManager
    discovery: Discovery
    sessions: SessionStore
    first_request: FirstRequest
    checkpoints: Checkpoints
    jobs: Jobs
    models: SessionModels

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @property
    def workspace(self) -> Path:
        return self.options.workspace

    async def choose_model(self, name: str | None = None) -> ModelChoice:
        """The model that `name`, the settings or the surroundings give. Raises ModelError when there is none."""
        return await anyio.to_thread.run_sync(choose, self.options, self.loaded, self.paths, name)

    def open_model(self, choice: ModelChoice) -> LanguageModel:
        return open_chosen(choice, self.loaded, self.paths, self.first_request.is_out.set)

    def agent(self, model: LanguageModel, session: Session) -> Agent:
        """An agent for an open session; enter it with `async with`."""
        agent = build_agent(
            model,
            session,
            gate=self.gate,
            registry=self.registry,
            discovery=self.discovery,
            principal=self.principal,
            workspace=self.workspace,
            loaded=self.loaded,
            paths=self.paths,
            fence=self._fence,
            servers=self.servers,
        )
        self.models.use(session.id, agent)
        return agent

    async def start_trusted(self, name: str) -> None:
        """Starts a server of the project that the user has trusted just now; the settings are read anew for it."""
        from mewcode.mcp import ServerDefinition

        loaded = await anyio.to_thread.run_sync(load_for, self.options, self.paths)
        entry = loaded.settings.mcp_servers.get(name)
        if entry is not None:
            await self.servers.add(ServerDefinition.of(entry, loaded.settings.mcp))

    def for_model(self, session: str, result: ToolResult) -> str:
        """What a model may read of a result that a person asked for: cut, cleaned and fenced as its own results are."""
        from mewcode.agent import render_for_model

        characters = self.settings.mcp.result_characters
        rendered = render_for_model(
            result, fence=lambda text, of: self._fence(session, text, of), characters=characters, images=False
        )
        return rendered.text

    def _fence(self, session: str, text: str, result: ToolResult) -> str:
        from mewcode.governance.labels import fence

        return fence(text, self.gate.sessions.of(session).marker, result.trust, result.origin)


@contextlib.asynccontextmanager
async def open_app(options: AppOptions) -> AsyncGenerator[App, None]:
    """Builds the house and starts the servers in the background; leaving it ends everything that was started.

    Raises SettingsError (exit 2) for a broken managed file or a wrong command line.
    """
    paths = Paths.from_environment(options.environ)
    with contextlib.suppress(OSError):  # whoever needs to write there says what is wrong
        paths.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    loaded = load_for(options, paths)
    redactor = redactor_of(options, loaded)
    sandbox = LazySandbox(loaded, paths, options.folders)
    registry = ToolRegistry()
    policy = build_policy(options, loaded, paths, servers=lambda: registry.sources, hides=lambda: sandbox.hides)
    registry.visible = policy.visible
    first_request = FirstRequest()
    models = SessionModels()
    jobs = Jobs(loaded.settings.tools.run_command.jobs)
    checkpoints = Checkpoints(paths.checkpoints)
    limits = build_limits(loaded)
    search = _fill(registry, options, loaded, paths, sandbox, jobs, checkpoints, limits.discovered)
    discovery = Discovery(registry, search.discovered, loaded.settings.mcp.tool_reminder_tokens)
    audit = open_audit(loaded, paths, redactor)
    gate = build_gate(
        options,
        loaded,
        paths,
        registry=registry,
        policy=policy,
        audit=audit,
        redactor=redactor,
        limits=limits,
        discovered=search.discovered,
    )
    app = App(
        options=options,
        paths=paths,
        loaded=loaded,
        principal=principal_of(options, policy.bounds.roles),
        registry=registry,
        policy=policy,
        gate=gate,
        audit=audit,
        servers=open_manager(options, loaded, paths, registry, first_request, gate, models),
        first_request=first_request,
        discovery=discovery,
        sessions=SessionStore(paths.sessions, paths.outputs),
        checkpoints=checkpoints,
        jobs=jobs,
        models=models,
    )
    telemetry = loaded.settings.telemetry
    end_logging = start_logging(
        paths.logs,
        level=telemetry.log_level,
        size=telemetry.log_size,
        files=telemetry.log_files,
        redact=redactor.redact,
    )
    try:
        async with app.servers:
            yield app
    finally:
        with anyio.CancelScope(shield=True):
            search.close()
            await jobs.close()
            await audit.close()
            await limits.store.close()
            retention = loaded.settings.sessions.retention
            await anyio.to_thread.run_sync(remove_old_sessions, app.sessions, checkpoints, retention)
        sandbox.close()
        end_logging()


def warm_model(choice: ModelChoice) -> None:
    """Begins the import of what the model needs, behind everything else."""
    if not choice.embedded:
        warm(choice.endpoint)


def _fill(
    registry: ToolRegistry,
    options: AppOptions,
    loaded: LoadedSettings,
    paths: Paths,
    sandbox: LazySandbox,
    jobs: Jobs,
    checkpoints: Checkpoints,
    discovered: DiscoveredTools,
) -> ToolSearch:
    settings = builtin_settings(loaded, paths, dict(options.environ))
    history = checkpoints if loaded.settings.sessions.checkpoints else None
    for tool in builtin_tools(settings, launcher=sandbox, history=history, jobs=jobs, environ=options.environ):
        registry.add(tool)
    found = SearchLimits(loaded.settings.mcp.search_limit, loaded.settings.mcp.search_per_server)
    search = ToolSearch(registry, discovered, open_meaning=lambda: _meaning(loaded, paths), limits=found)
    registry.add(search)
    return search


def _meaning(loaded: LoadedSettings, paths: Paths) -> "Meaning | None":
    from mewcode.tools.search.semantic import Meaning

    return Meaning(paths.cache) if loaded.settings.mcp.semantic_search and Meaning.available() else None

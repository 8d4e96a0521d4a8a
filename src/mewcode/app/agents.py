"""An agent for a session, with its ports filled in."""

from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.agent import Agent, AgentOptions, AgentPorts, Limits, Session
from mewcode.app.discovery import Discovery
from mewcode.app.instructions import server_instructions
from mewcode.calls import Principal, ToolResult
from mewcode.config import LoadedSettings, Paths
from mewcode.governance import Gate, Mode
from mewcode.governance.labels import fencing_rule
from mewcode.mcp import MCPManager
from mewcode.models import LanguageModel
from mewcode.tools import ToolRegistry
from mewcode.workspace.output_files import session_folder

if TYPE_CHECKING:
    from collections.abc import Callable


def build_agent(
    model: LanguageModel,
    session: Session,
    *,
    gate: Gate,
    registry: ToolRegistry,
    discovery: Discovery,
    principal: Principal,
    workspace: Path,
    loaded: LoadedSettings,
    paths: Paths,
    fence: "Callable[[str, str, ToolResult], str]",
    servers: MCPManager,
) -> Agent:
    """`fence` takes the session's id, a text and the result that it comes from.

    The gate is told whether this is a model whose every write and command is asked about.
    """
    gate.sessions.of(session.id).wary = model.profile.ask_for_everything
    ports = AgentPorts(
        gate=gate,
        tools=lambda: discovery.tools(session.id, principal),
        find_tool=registry.get,
        principal=principal,
        workspace=workspace,
        outputs=session_folder(paths.outputs, session.id),
        fence=lambda text, result: fence(session.id, text, result),
        reminders={
            "fences": lambda: fencing_rule(gate.sessions.of(session.id).marker),
            "mode": lambda: mode_reminder(gate.sessions.mode(session.id)),
            "servers": lambda: server_instructions(
                servers,
                registry,
                principal,
                lambda text, result: fence(session.id, text, result),
                gate.sessions.of(session.id).taint,
            ),
        },
        news={"tools": lambda: discovery.announcements(principal)},
    )
    return Agent(model, ports, session, agent_options(loaded))


def mode_reminder(mode: Mode) -> str | None:
    """What the model should know of the session's mode; the default one needs no word."""
    if mode is Mode.PLAN:
        return "The session is in plan mode: only look, change nothing, and end with a plan for the person to approve."
    if mode is Mode.AUTO:
        return "The session is in auto mode: nobody is asked; what no rule allows is refused."
    return None


def agent_options(loaded: LoadedSettings) -> AgentOptions:
    settings = loaded.settings.agent
    return AgentOptions(
        limits=Limits(settings.max_turns, settings.max_cost, settings.max_time),
        result_characters=loaded.settings.mcp.result_characters,
        instructions=tuple(settings.instructions),
        instructions_characters=settings.instructions_bytes,
        keep_results=settings.keep_results,
        compact_at=settings.compact_at,
        parallel_calls=settings.parallel_calls,
    )

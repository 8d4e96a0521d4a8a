"""A small house around the agent for its tests: a gate without rules, a few tools, a model played by a function."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mewcode.agent import Agent, AgentOptions, AgentPorts, Event, SessionStore, TurnFinished
from mewcode.agent.ports import Reminder
from mewcode.calls import Answer, Effects, ErrorKind, Principal, Question, ToolCall, ToolResult
from mewcode.models import LanguageModel
from mewcode.tools import Tool

Act = Callable[[ToolCall], Awaitable[ToolResult]]


class SmallTool(Tool):
    """Does what it was given to do."""

    def __init__(self, name: str, act: Act, *, writes: bool = False) -> None:
        self.name = name
        self.description = f"The tool {name}."
        self.parameters = {"type": "object", "properties": {"value": {"type": "string"}}}
        self.effects = Effects(reads=not writes, writes=writes)
        self._act = act

    async def execute(self, call: ToolCall) -> ToolResult:
        return await self._act(call)


class OpenGate:
    """Lets everything through; `ask` may return a question for a call that has no answer yet."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self.calls: list[ToolCall] = []
        self.ended: list[str] = []
        self.ask: Callable[[ToolCall, Answer | None], Question | None] = lambda call, answer: None

    async def call(self, call: ToolCall, answer: Answer | None = None) -> ToolResult | Question:
        question = self.ask(call, answer)
        if question is not None:
            return question
        if answer is not None and not answer.allow:
            return ToolResult.failed(ErrorKind.REFUSED, f"Refused: {answer.comment}")
        self.calls.append(call)
        tool = self.tools.get(call.tool)
        if tool is None:
            return ToolResult.failed(ErrorKind.UNKNOWN_TOOL, f"There is no tool {call.tool}.")
        return await tool.execute(call)

    async def end_session(self, session: str) -> None:
        self.ended.append(session)


def plain_fence(text: str, result: ToolResult) -> str:
    return text


async def echo(call: ToolCall) -> ToolResult:
    return ToolResult.of_text(f"echo {call.arguments.get('value', '')}")


@dataclass
class House:
    """Everything an agent needs, in a temporary folder."""

    folder: Path
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    reminders: dict[str, Reminder] = field(default_factory=dict[str, Reminder])
    options: AgentOptions = field(default_factory=AgentOptions)

    def __post_init__(self) -> None:
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir(exist_ok=True)
        self.store = SessionStore(self.folder / "sessions", self.folder / "outputs")
        self.add(SmallTool("look", echo))
        self.add(SmallTool("change", echo, writes=True))
        self.gate = OpenGate(self.tools)

    def add(self, tool: Tool) -> None:
        self.tools[tool.name] = tool

    def agent(self, model: LanguageModel, session_id: str | None = None) -> Agent:
        session = self.store.open(session_id) if session_id else self.store.create(self.workspace, model.name)
        ports = AgentPorts(
            gate=self.gate,
            tools=lambda: tuple(self.tools.values()),
            find_tool=self.tools.get,
            principal=Principal("tester"),
            workspace=self.workspace,
            outputs=self.store.outputs_of(session.id),
            fence=plain_fence,
            reminders=self.reminders,
        )
        return Agent(model, ports, session, self.options)


async def events_of(stream: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in stream]


def last(events: list[Event]) -> TurnFinished:
    finished = events[-1]
    assert isinstance(finished, TurnFinished)
    return finished


def of_kind(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]

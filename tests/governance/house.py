"""A gate with small tools in a temporary workspace, as tests want it."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.governance.tools import ReadFile, RunCommand, WriteFile

from mewcode.calls import Answer, Door, Effect, Principal, Question, Remember, Source, ToolCall, ToolResult
from mewcode.governance import (
    Bounds,
    Gate,
    GateParts,
    Layers,
    MemoryAudit,
    Mode,
    PermitPorts,
    Policy,
    Rule,
    Sessions,
    parse_rule,
)
from mewcode.tools import Tool, ToolRegistry

ALICE = Principal("alice")


def rule(effect: str, text: str, scope: str = "user", **more: Any) -> Rule:
    return parse_rule(text, Effect(effect), source=Source(scope, f"{scope}.yaml", 1), **more)


def allow(text: str, scope: str = "user") -> Rule:
    return rule("allow", text, scope)


def ask(text: str, scope: str = "user") -> Rule:
    return rule("ask", text, scope)


def deny(text: str, scope: str = "user") -> Rule:
    return rule("deny", text, scope)


@dataclass
class House:
    """`gate` with everything around it within reach."""

    workspace: Path
    gate: Gate
    registry: ToolRegistry
    audit: MemoryAudit
    remembered: list[tuple[str, str]] = field(default_factory=list)
    numbers: Iterable[int] = field(default_factory=itertools.count)

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        answer: Answer | None = None,
        principal: Principal = ALICE,
        session: str = "s1",
    ) -> ToolResult | Question:
        return await self.gate.call(ToolCall(tool, arguments or {}, session, principal), answer)

    async def result(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> ToolResult:
        reply = await self.call(tool, arguments, **more)
        assert isinstance(reply, ToolResult), reply
        return reply

    async def question(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Question:
        reply = await self.call(tool, arguments, **more)
        assert isinstance(reply, Question), reply
        return reply


def yes(question: Question, remember: Remember = Remember.ONCE) -> Answer:
    return Answer(question.id, question.fingerprint, allow=True, remember=remember, answered_by="alice")


def no(question: Question, comment: str | None = None) -> Answer:
    return Answer(question.id, question.fingerprint, allow=False, comment=comment, answered_by="alice")


def build(
    workspace: Path,
    rules: Iterable[Rule] = (),
    *,
    tools: Iterable[Tool] = (),
    mode: Mode = Mode.DEFAULT,
    bounds: Bounds | None = None,
    policy: Mapping[str, Any] | None = None,
    **parts: Any,
) -> House:
    registry = ToolRegistry()
    for tool in (ReadFile(), WriteFile(), RunCommand(), *tools):
        registry.add(tool)
    audit = parts.pop("audit", None) or MemoryAudit()
    remembered: list[tuple[str, str]] = []

    async def remember(text: str, file: str) -> None:
        remembered.append((text, file))

    made = Policy(
        rules=Layers(tuple(rules)),
        bounds=bounds or Bounds(),
        servers=lambda: {tool.server for tool in registry if tool.server},
        **(policy or {}),
    )
    root = workspace.resolve()
    ports = PermitPorts(roots=lambda call: (root,), remember=remember, rules_file=str(root / "config.yaml"))
    registry.visible = made.visible
    gate = Gate(GateParts(registry, made, audit, ports, sessions=Sessions(mode), **parts))
    return House(root, gate, registry, audit, remembered)


__all__ = ["ALICE", "Door", "House", "allow", "ask", "build", "deny", "no", "rule", "yes"]

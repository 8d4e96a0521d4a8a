"""One step of tool calls: those that only read run side by side, those that act run alone and in order."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import anyio

from mewcode.agent.events import Notice, ToolCallFinished, ToolCallOutput, ToolCallProgress, ToolCallStarted
from mewcode.agent.outputs import Outputs
from mewcode.agent.ports import AgentPorts
from mewcode.agent.questions import Emit, Questions
from mewcode.agent.render import Rendered, render_for_model
from mewcode.calls import ErrorKind, Json, ToolCall, ToolResult
from mewcode.errors import MewCodeError


@dataclass(frozen=True)
class WantedCall:
    """A call as the model sent it. `problem` says why its arguments cannot be used; the gate never sees those."""

    id: str
    tool: str
    arguments: Mapping[str, Json]
    problem: str | None = None


@dataclass(frozen=True)
class DoneCall:
    wanted: WantedCall
    result: ToolResult
    rendered: Rendered


class EventChannel:
    """What a running call reports becomes events."""

    def __init__(self, emit: Emit, call_id: str) -> None:
        self._emit = emit
        self._call_id = call_id

    async def progress(self, done: float, total: float | None, note: str | None) -> None:
        await self._emit(ToolCallProgress(self._call_id, done, total, note))

    async def log(self, level: str, text: str) -> None:
        await self._emit(ToolCallOutput(self._call_id, text if text.endswith("\n") else text + "\n"))

    async def output(self, text: str) -> None:
        await self._emit(ToolCallOutput(self._call_id, text))


class ToolCalls:
    """Runs the calls of one answer of the model through the gate. `done` is told of each result as it comes, so that
    it can be saved before the others are there."""

    def __init__(
        self,
        ports: AgentPorts,
        session: str,
        emit: Emit,
        questions: Questions,
        *,
        characters: Callable[[], int],
        images: bool,
        parallel: int,
    ) -> None:
        self._ports = ports
        self._session = session
        self._emit = emit
        self._questions = questions
        self._characters = characters
        self._images = images
        self._parallel = parallel
        self._outputs = Outputs(ports.outputs)

    async def run(self, calls: Sequence[WantedCall], done: Callable[[DoneCall], None]) -> None:
        for group in self._groups(calls):
            if len(group) == 1:
                done(await self._run_one(group[0]))
                continue
            limiter = anyio.Semaphore(self._parallel)

            async def run_beside(call: WantedCall, limiter: anyio.Semaphore = limiter) -> None:
                async with limiter:
                    done(await self._run_one(call))

            async with anyio.create_task_group() as tasks:
                for call in group:
                    tasks.start_soon(run_beside, call)

    def _groups(self, calls: Iterable[WantedCall]) -> Iterator[list[WantedCall]]:
        """Neighbours that only read make a group; a call that acts is a group of its own."""
        readers: list[WantedCall] = []
        for call in calls:
            if self._only_reads(call):
                readers.append(call)
                continue
            if readers:
                yield readers
            readers = []
            yield [call]
        if readers:
            yield readers

    def _only_reads(self, call: WantedCall) -> bool:
        if call.problem is not None:
            return True
        tool = self._ports.find_tool(call.tool)
        return tool is not None and tool.effects.only_reads

    async def _run_one(self, wanted: WantedCall) -> DoneCall:
        started = time.monotonic()
        tool = self._ports.find_tool(wanted.tool)
        server = tool.server if tool else None
        await self._emit(ToolCallStarted(wanted.id, wanted.tool, server, wanted.arguments))
        result = await self._result_of(wanted)
        rendered = render_for_model(
            result,
            fence=self._ports.fence,
            save=lambda text: self._outputs.save(wanted.id, text),
            characters=self._characters(),
            images=self._images,
        )
        seconds = time.monotonic() - started
        await self._emit(ToolCallFinished(wanted.id, wanted.tool, result, rendered.text, seconds))
        return DoneCall(wanted, result, rendered)

    async def _result_of(self, wanted: WantedCall) -> ToolResult:
        if wanted.problem is not None:
            return ToolResult.failed(ErrorKind.INVALID_ARGUMENTS, wanted.problem)
        call = ToolCall(
            wanted.tool,
            wanted.arguments,
            self._session,
            self._ports.principal,
            id=wanted.id,
            channel=EventChannel(self._emit, wanted.id),
        )
        try:
            return await self._questions.through(self._ports.gate, call)
        except MewCodeError as error:
            await self._emit(Notice(str(error)))
            return ToolResult.failed(ErrorKind.INTERNAL, str(error))

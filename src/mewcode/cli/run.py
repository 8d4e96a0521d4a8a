"""`mewcode run`: one task without a person; the exit code says how it ended."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import anyio.to_thread
import typer

from mewcode.errors import MewCodeError, UsageError

if TYPE_CHECKING:
    from mewcode.agent import Limits
    from mewcode.app.options import AppOptions
    from mewcode.headless import Output, Progress, RunOptions, RunResult
    from mewcode.headless.opening import SessionChoice

app = typer.Typer(add_completion=False)

OUTPUTS = ("text", "json", "stream-json")
MODES = ("plan", "default", "accept-edits", "auto")


@app.command()
def run(
    task: Annotated[str | None, typer.Argument(help="The task; - or nothing reads it from standard input.")] = None,
    print_: Annotated[bool, typer.Option("--print", "-p", help="Does nothing: run always prints.")] = False,
    output: Annotated[str, typer.Option("--output", help="text, json or stream-json.")] = "text",
    output_schema: Annotated[Path | None, typer.Option(help="A JSON Schema the answer must match.")] = None,
    max_turns: Annotated[int | None, typer.Option(min=1, help="Requests to the model, at most.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, metavar="USD", help="US dollars, at most.")] = None,
    max_time: Annotated[str | None, typer.Option(metavar="DURATION", help="Wall time, at most: 90s, 10m.")] = None,
    mode: Annotated[str | None, typer.Option(help="plan, default, accept-edits or auto.")] = None,
    require_server: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Fail without this server.")] = None,
    trust_project: Annotated[bool, typer.Option(help="Trust the project's servers and allow rules.")] = False,
    allow: Annotated[list[str] | None, typer.Option(metavar="RULE", help="Answer asks of this rule with yes.")] = None,
    deny: Annotated[list[str] | None, typer.Option(metavar="RULE", help="Deny what this rule matches.")] = None,
    confirm: Annotated[list[str] | None, typer.Option(metavar="RULE", help="Answer second confirmations.")] = None,
    answers: Annotated[Path | None, typer.Option(metavar="FILE", help="Answers to what servers ask.")] = None,
    prompt: Annotated[str | None, typer.Option(metavar="mcp:SERVER:PROMPT", help="A server's prompt.")] = None,
    mcp_config: Annotated[Path | None, typer.Option(metavar="FILE", help="More servers, as in .mcp.json.")] = None,
    model: Annotated[str | None, typer.Option(help="provider:model.")] = None,
    resume: Annotated[str | None, typer.Option("--resume", "-r", metavar="ID", help="Go on with a session.")] = None,
    continue_: Annotated[bool, typer.Option("--continue", "-c", help="Go on with the newest session here.")] = False,
) -> None:
    """Runs one task and prints the answer. Whatever would be asked is refused, unless a rule or --allow permits it."""
    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions
    from mewcode.calls import Door
    from mewcode.headless import PreparedAnswers, Progress, RunResult, open_output
    from mewcode.headless.opening import SessionChoice
    from mewcode.headless.result import status_of_error

    if output not in OUTPUTS:
        raise UsageError("headless.output_kind", value=output)
    if mode is not None and mode not in MODES:
        raise UsageError("headless.mode", value=mode, modes=", ".join(MODES))
    _print_any_text()
    sink, progress = open_output(output), Progress(sys.stderr, shown=sys.stderr.isatty())

    async def main() -> RunResult:
        options = await _run_options(
            task, output_schema, _limits(max_turns, max_cost, max_time), require_server or (), prompt
        )
        app_options = AppOptions(
            door=Door.RUN,
            workspace=workspace_here(),
            model=model,
            mode=mode,
            allow=tuple(allow or ()),
            deny=tuple(deny or ()),
            confirm=tuple(confirm or ()),
            trust_project=trust_project,
            mcp_config=mcp_config,
            model_first=True,
            elicitation=PreparedAnswers.from_file(answers) if answers else None,
        )
        return await _run(app_options, options, SessionChoice(resume, continue_), sink, progress)

    try:
        result = anyio.run(main)
    except MewCodeError as error:
        result = RunResult(status_of_error(error), error=str(error))
    sink.result(result)
    progress.refusals(result.refusals)
    if result.error:
        progress.note(result.error)
    raise typer.Exit(result.exit_code)


async def _run(
    app_options: "AppOptions", options: "RunOptions", session: "SessionChoice", sink: "Output", progress: "Progress"
) -> "RunResult":
    from mewcode.headless import Run, RunResult, RunStatus, watched_signals
    from mewcode.headless.opening import open_house

    result: RunResult | None = None
    async with watched_signals() as signals, open_house(app_options, session) as house:
        result = await Run(house, options, sink, progress, signals).run()
    return result or RunResult(signals.status or RunStatus.FAILED)


async def _run_options(
    task: str | None, schema: Path | None, limits: "Limits", servers: Sequence[str], prompt: str | None
) -> "RunOptions":
    """Reads what the options name; in a thread, since standard input may keep us waiting."""
    from mewcode.headless import AnswerSchema, PromptName, RunOptions, Task, read_task

    name = PromptName.parse(prompt) if prompt else None
    answer_schema = AnswerSchema.from_file(schema) if schema else None
    stdin = sys.stdin.buffer if sys.stdin else None
    if name is not None and task is None and (stdin is None or stdin.isatty()):
        words = Task("")
    else:
        words = await anyio.to_thread.run_sync(read_task, task, stdin, abandon_on_cancel=True)
    return RunOptions(words, limits, answer_schema, tuple(servers), name)


def _limits(turns: int | None, cost: float | None, time: str | None) -> "Limits":
    from mewcode.agent import Limits
    from mewcode.config.quantities import parse_duration

    try:
        seconds = parse_duration(time) if time is not None else None
    except ValueError as error:
        raise UsageError("headless.duration", value=time) from error
    return Limits(turns, cost, seconds)


def _print_any_text() -> None:
    """A model may say what this terminal's encoding cannot: it is escaped rather than the run broken."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

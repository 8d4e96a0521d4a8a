"""What the model is told of a command that is over."""

from collections.abc import Collection

from mewcode.calls import ErrorKind, ToolResult
from mewcode.tools.builtin.hands.results import answer, failure
from mewcode.workspace.commands import Finished
from mewcode.workspace.environment import CommandEnvironment, is_never_passed, wanted_variables

_TOOL = "run_command"


def finished_result(
    finished: Finished, line: str, deadline: float, environment: CommandEnvironment, secrets: Collection[str]
) -> ToolResult:
    """An exit status other than 0 is an error for the model to deal with, the end of the deadline a timeout."""
    ended = finished.ended
    failed = ended.timed_out or ended.code != 0
    notes = [_ending(finished, deadline)]
    if ended.left:
        notes.append(f"{ended.left} processes left behind were ended; use `background` for what should go on running.")
    if finished.output:
        whole = "The whole output" if finished.output_whole else "The output's beginning, up to its largest size,"
        notes.append(f"{whole} ({finished.lines} lines) is in {finished.output}.")
    if failed:
        notes += _withheld(environment, line, finished.text, secrets)
    text = "\n".join([*([finished.text] if finished.text else ["(no output)"]), f"[{' '.join(notes)}]"])
    structured = {"exit_code": ended.code, "seconds": round(ended.seconds, 3), "timed_out": ended.timed_out}
    more = {
        "structured": structured,
        "truncated": finished.cut,
        "output_path": str(finished.output) if finished.output else None,
    }
    if not failed:
        return answer(_TOOL, text, line, **more)
    return failure(_TOOL, text, line, ErrorKind.TIMEOUT if ended.timed_out else ErrorKind.TOOL_ERROR, **more)


def _ending(finished: Finished, deadline: float) -> str:
    ended = finished.ended
    if ended.timed_out:
        return f"Ended after {deadline:g} s, its deadline. Give a longer `timeout`, or run it with `background`."
    if ended.code is None:
        return f"Ended from outside after {ended.seconds:.1f} s."
    return f"Exit code {ended.code}, {ended.seconds:.1f} s."


def _withheld(environment: CommandEnvironment, line: str, output: str, secrets: Collection[str]) -> list[str]:
    notes: list[str] = []
    for name in wanted_variables(environment, line, output):
        if is_never_passed(name, secrets):
            notes.append(f"{name} is set here but never passed to commands.")
        else:
            setting = f"the setting `tools.run_command.env: [{name}]` passes it"
            notes.append(f"{name} is set here but withheld from commands; {setting}.")
    return notes

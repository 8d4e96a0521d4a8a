"""Steps that a small model forgets and that cost nothing to think of: they are put in for it.

Each is an ordinary tool call in the conversation, so that it takes the same road through the gate as any other.
"""

import re
from collections.abc import Collection, Sequence

from mewcode.models.local.prompt import ANSWER, LISTING
from mewcode.models.local.steps import Step
from mewcode.models.local.transcript import Said

TEST_COMMAND = "python -m pytest -q"

_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")


def opening_step(said: Sequence[Said], tools: Collection[str]) -> Step | None:
    """The conversation begins with a look at the file list."""
    if any(one.is_call or one.files is not None for one in said) or "find_files" not in tools:
        return None
    return Step(LISTING["tool"], dict(LISTING["args"]), "")


def instead_of(step: Step, said: Sequence[Said], tools: Collection[str]) -> Step:
    """The step to take in place of `step`: read before an edit, run the tests before an answer about changed code."""
    if step.args and "read_file" in tools and _changes_an_unread_file(step.tool, step.args.get("path", ""), said):
        return Step("read_file", {"path": step.args["path"]}, step.raw)
    if step.tool == ANSWER and "run_command" in tools and _tests_are_due(said):
        return Step("run_command", {"command": TEST_COMMAND}, step.raw)
    return step


def with_test_result(text: str, said: Sequence[Said]) -> str:
    """The answer's text, with what the tests said after the last change: the model's own claim is worth less."""
    task = _this_task(said)
    changed = [index for index, one in enumerate(task) if _changes_code(one)]
    if not changed:
        return text
    results = [one for one in task[changed[-1] :] if one.is_result and one.tool == "run_command"]
    summary = next((line for one in reversed(results) if (line := _summary(one.text))), None)
    return f"{text}\n\nTests after the change: {summary}" if summary else text


def _changes_an_unread_file(tool: str, path: str, said: Sequence[Said]) -> bool:
    """An edit needs the text it replaces; a small model also likes to write a whole file where a line was asked for."""
    if tool == "write_file" and not any(path in (one.files or ()) for one in said):
        return False
    return tool in {"edit_file", "write_file"} and bool(path) and not _was_read(path, said)


def _was_read(path: str, said: Sequence[Said]) -> bool:
    known = {"read_file", "write_file", "edit_file"}
    return any(one.is_call and one.tool in known and (one.args or {}).get("path") == path for one in said)


def _tests_are_due(said: Sequence[Said]) -> bool:
    """Code was changed in this task, there are tests, and no command was run (or refused) since."""
    task = _this_task(said)
    has_tests = any(_TEST_FILE.search(name) for one in said for name in one.files or ())
    changes = [index for index, one in enumerate(task) if _changes_code(one)]
    if not has_tests or not changes:
        return False
    after = task[changes[-1] :]
    succeeded = len(after) > 1 and not after[1].failed
    return succeeded and not any(one.is_call and one.tool == "run_command" for one in after)


def _changes_code(one: Said) -> bool:
    path = str((one.args or {}).get("path", ""))
    return one.is_call and one.tool in {"edit_file", "write_file"} and path.endswith(".py")


def _this_task(said: Sequence[Said]) -> Sequence[Said]:
    """From the user's last message on."""
    asked = [index for index, one in enumerate(said) if one.role == "user" and not one.is_result]
    return said[asked[-1] :] if asked else said


def _summary(output: str) -> str | None:
    """The line of pytest's (or unittest's) output that counts."""
    lines = [line.strip(" =") for line in output.splitlines()]
    counts = re.compile(r"\b\d+ (?:passed|failed|errors?)\b|^OK$|^FAILED \(")
    return next((line for line in reversed(lines) if counts.search(line)), None)

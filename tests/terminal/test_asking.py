"""What a question says above its keys: all of it, and nothing twice."""

import time
from pathlib import Path

import pytest

from mewcode.calls import Decision, Effect, Question, QuestionKind, Source
from mewcode.terminal.asking import QuestionPanel, describe_question
from mewcode.terminal.ink import Ink
from mewcode.terminal.live import Live, RunningCall

PLAIN = Ink(colour=False, plain=True)


def question(action: str, details: str, *, seconds: float = 600.0, rule: Source | None = None) -> Question:
    decision = Decision(Effect.ASK, "it deletes\nfiles", "run_command(@delete)" if rule else None, rule)
    kind, expires = QuestionKind.APPROVAL, time.time() + seconds
    return Question("q", kind, "c", "s", "me", "run_command", None, action, details, (), decision, "f", expires)


@pytest.mark.parametrize(
    ("action", "details", "shown"),
    [
        ("run_command ls -la", "ls -la\nruns: ls -la", ["run_command ls -la"]),
        ("run_command a && b", "a && b\nruns: a\nruns: b", ["run_command a && b", "runs: a", "runs: b"]),
        ("run_command cat <<X a X", "cat <<X\na\nX\nruns: cat", ["run_command", "cat <<X", "a", "X", "runs: cat"]),
        (f"run_command {'a ' * 90}…", "a " * 120, ["run_command", ("a " * 38).strip()]),
        ("run_command rm x", "rm x\nruns: rm x\nwrites: /w/x", ["run_command rm x", "writes: /w/x"]),
        ("mcp_notes_add", '{\n  "a": 1\n}', ["mcp_notes_add", "{", '  "a": 1', "}"]),
    ],
)
def test_a_command_is_shown_whole_and_once(action: str, details: str, shown: list[str]) -> None:
    lines = describe_question(question(action, details), 80, PLAIN).split("\n")[1:]
    assert all(line.startswith("┃ ") for line in lines)
    assert [line[2:].rstrip() for line in lines][: len(shown)] == shown
    assert lines[-1] == "┃ why: it deletes files"


def test_a_second_question_about_a_call_tells_only_its_reasons() -> None:
    again = describe_question(question("run_command rm x", "rm x\nruns: rm x"), 80, PLAIN, known=True)
    assert again == "┃ why: it deletes files"


def test_a_rule_of_a_shipped_set_is_named_without_the_path_of_the_installation() -> None:
    at_home = Source("user", str(Path.home() / "x.yaml"), 6, 1)
    for source, said in (
        (Source("preset", "/opt/site/blacklist.yaml", 9), "blacklist)"),
        (at_home, "~/x.yaml:6 (user))"),
    ):
        shown = describe_question(question("run_command rm x", "rm x", rule=source), 200, PLAIN)
        assert said in shown and "/opt" not in shown


@pytest.mark.anyio
async def test_a_clock_runs_only_when_little_time_is_left() -> None:
    for seconds, told in ((600.0, False), (20.0, True)):
        panel = QuestionPanel(question("run_command rm x", "rm x", seconds=seconds), lambda: 0, None)
        panel.focused = True
        assert ("lapses" in panel.lines() + "".join(one[1] for one in panel.fragments(80))) is told


def test_the_time_that_the_person_took_is_not_the_calls() -> None:
    live = Live()
    live.calls["c"] = RunningCall("run_command x", began=time.monotonic() - 100)
    live.answered("c", 90.0, allowed=True)
    assert live.waited == {"c": 90.0} and time.monotonic() - live.calls["c"].began < 60
    live.answered("c", 1.0, allowed=False)
    assert live.declined == {"c"}

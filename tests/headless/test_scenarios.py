"""What a coding agent is for, over both wire formats, through the real gate and the real tools."""

from pathlib import Path

import pytest
from tests.endpoint import Call, Turn, serve
from tests.headless.whole_house import WIRES, messages_sent, run_here, write_settings

from mewcode.headless import RunStatus

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("wire", WIRES)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project.scripts]\ntidy = "tidy.main:run"\n')
    (folder / "src" / "main.py").write_text("from src.rules import RULES\n\n\ndef run():\n    return RULES\n")
    (folder / "src" / "rules.py").write_text("# RULES: what tidy checks\nRULES = ['tabs', 'ends']\n")
    (folder / "AGENTS.md").write_text("Answer with the file's name.\n")
    return folder


async def test_one_tool_what_is_the_entry_point(project: Path, wire: str) -> None:
    script = [
        Turn(calls=[Call("read_file", {"path": "pyproject.toml"})]),
        Turn("The entry point is tidy.main:run (pyproject.toml:2)."),
    ]
    with serve(script) as endpoint:
        write_settings(endpoint, wire)
        ran = await run_here(project, "What is the entry point of this project?")
    assert (ran.result.status, ran.result.spent.steps) == (RunStatus.DONE, 2)
    assert "tidy.main:run" in ran.result.text
    assert 'tidy = "tidy.main:run"' in ran.of_type("tool_result")[0]["text"]
    assert "tidy.main:run" in messages_sent(endpoint, 1)
    assert "Answer with the file's name." in messages_sent(endpoint, 0)


async def test_a_chain_search_then_read_several_then_summarise(project: Path, wire: str) -> None:
    script = [
        Turn("I look for it.", [Call("search_code", {"query": "RULES"})]),
        Turn(calls=[Call("read_file", {"path": "src/main.py"}), Call("read_file", {"path": "src/rules.py"})]),
        Turn("tidy checks tabs and ends."),
    ]
    with serve(script) as endpoint:
        write_settings(endpoint, wire)
        ran = await run_here(project, "What does tidy check?")
    assert ran.result.status is RunStatus.DONE
    results = ran.of_type("tool_result")
    assert [(line["tool"], line["ok"]) for line in results] == [
        ("search_code", True),
        ("read_file", True),
        ("read_file", True),
    ]
    assert "src/rules.py" in results[0]["text"]
    assert "tabs" in messages_sent(endpoint, 2)
    first, last = endpoint.requests[0].json, endpoint.requests[2].json
    assert first["tools"] == last["tools"], "the list of tools is part of the cached prefix"
    assert len({line["id"] for line in ran.of_type("tool_call")}) == 3


async def test_recovery_a_command_fails_is_understood_and_then_succeeds(project: Path, wire: str) -> None:
    script = [
        Turn(calls=[Call("run_command", {"command": "cat missing.txt"})]),
        Turn("The file is not there; I make it.", [Call("write_file", {"path": "missing.txt", "content": "here\n"})]),
        Turn(calls=[Call("run_command", {"command": "cat missing.txt"})]),
        Turn("Now it works."),
    ]
    with serve(script) as endpoint:
        write_settings(endpoint, wire)
        ran = await run_here(project, "Make `cat missing.txt` work", allow=("run_command(cat *)", "write_file(*)"))
    assert ran.result.status is RunStatus.DONE
    assert [line["ok"] for line in ran.of_type("tool_result")] == [False, True, True]
    assert "No such file" in messages_sent(endpoint, 1)
    assert (project / "missing.txt").read_text() == "here\n"


async def test_what_would_be_asked_is_refused_and_nothing_is_written(project: Path, wire: str) -> None:
    script = [Turn(calls=[Call("write_file", {"path": "new.txt", "content": "x"})]), Turn("I may not write.")]
    with serve(script) as endpoint:
        write_settings(endpoint, wire)
        ran = await run_here(project, "Write new.txt")
    assert (ran.result.status, ran.result.exit_code) == (RunStatus.REFUSED, 3)
    assert not (project / "new.txt").exists()
    assert ran.result.refusals[0].tool == "write_file"
    assert "nobody to ask" in messages_sent(endpoint, 1)


async def test_a_broken_call_an_unknown_tool_and_an_empty_answer_are_recovered_from(project: Path, wire: str) -> None:
    script = [
        Turn(calls=[Call("read_file", '{"path": "pyproj')]),
        Turn(calls=[Call("open_file", {"path": "pyproject.toml"})]),
        Turn(),
        Turn("Done."),
    ]
    with serve(script) as endpoint:
        write_settings(endpoint, wire)
        ran = await run_here(project, "Read it")
    assert (ran.result.status, ran.result.text) == (RunStatus.DONE, "Done.")
    assert "not valid JSON" in messages_sent(endpoint, 1)
    assert "open_file" in messages_sent(endpoint, 2)
    assert "was empty" in messages_sent(endpoint, 3)

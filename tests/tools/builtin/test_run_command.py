"""Running commands as a model does it."""

import sys
import time
from pathlib import Path

import anyio
import pytest
from tests.tools.builtin.conftest import ENVIRON, Use

from mewcode.calls import ErrorKind, ToolResult, Trust
from mewcode.tools.base import Tool
from mewcode.workspace.environment import command_environment, is_never_passed
from mewcode.workspace.jobs import Jobs

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")]
PATIENCE = 60.0


async def until(use: Use, job: str, wanted: str) -> ToolResult:
    """Asks a job for its output until it says what is waited for."""
    ends_at = time.monotonic() + PATIENCE
    while time.monotonic() < ends_at:
        result = await use("run_command", job=job, action="output")
        if wanted in result.text:
            return result
        await anyio.sleep(0.05)
    raise AssertionError(f"{job} never said {wanted!r}")


async def test_the_exit_code_and_the_time_are_told(use: Use) -> None:
    good = await use("run_command", command="echo fine")
    assert good.text.startswith("fine\n[Exit code 0, ")
    assert good.trust is Trust.WORKSPACE
    bad = await use("run_command", command="echo broken >&2; exit 3")
    assert bad.error is not None
    assert bad.error.kind is ErrorKind.TOOL_ERROR
    assert bad.structured["exit_code"] == 3


async def test_it_runs_in_the_workspace_or_a_directory_of_it(use: Use, folder: Path) -> None:
    (folder / "sub").mkdir()
    assert (await use("run_command", command="pwd")).text.startswith(f"{folder}\n")
    assert (await use("run_command", command="pwd", cwd="sub")).text.startswith(f"{folder}/sub\n")
    assert (await use("run_command", command="pwd", cwd="nowhere")).is_error


async def test_the_environment_is_explicit(use: Use) -> None:
    names = {line.partition("=")[0] for line in (await use("run_command", command="env")).text.splitlines()}
    assert {"PATH", "HOME", "LC_ALL", "JAVA_HOME", "ALLOWED"} <= names
    assert names.isdisjoint({"MY_TOKEN", "OPENAI_API_KEY", "BASH_ENV", "BASH_FUNC_ls%%", "RIPGREP_CONFIG_PATH"})


@pytest.mark.parametrize(
    "name",
    ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "ZHIPU_API_KEY", "DEEPSEEK_API_KEY",
     "AZURE_OPENAI_API_KEY", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_FUNC_x%%", "CUSTOM_PROVIDER"],
)  # fmt: skip
def test_not_even_a_setting_passes_keys_and_what_bash_obeys(name: str) -> None:
    assert is_never_passed(name, {"CUSTOM_PROVIDER"})
    assert name not in command_environment({name: "x"}, passed=(name,), secrets=("CUSTOM_PROVIDER",)).variables


async def test_a_failing_command_that_wanted_a_withheld_variable_names_the_setting(use: Use) -> None:
    result = await use("run_command", command='test -n "$MY_TOKEN"')
    assert "tools.run_command.env: [MY_TOKEN]" in result.text
    assert ENVIRON["MY_TOKEN"] not in result.text
    key = await use("run_command", command="echo OPENAI_API_KEY is missing; exit 1")
    assert "OPENAI_API_KEY is set here but never passed" in key.text
    assert "withheld" not in (await use("run_command", command='echo "$MY_TOKEN"')).text


async def test_the_whole_of_a_long_output_is_in_a_file(use: Use) -> None:
    result = await use("run_command", command="seq 1 20000; echo fatal: it broke; seq 1 20000; exit 1")
    assert result.truncated
    assert result.output_path is not None
    assert result.output_path in result.text
    assert "fatal: it broke" in result.text
    assert "fatal: it broke" in Path(result.output_path).read_text()
    assert len(result.text) < 4_500


async def test_the_deadline_is_told_with_what_to_do(use: Use) -> None:
    result = await use("run_command", command="echo begun; sleep 300", timeout=2)
    assert result.error is not None
    assert result.error.kind is ErrorKind.TIMEOUT
    assert "begun" in result.text
    assert "`background`" in result.text


async def test_a_job_runs_shows_what_is_new_and_stops(use: Use, tools: dict[str, Tool]) -> None:
    started = await use("run_command", command="echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; sleep 300",
                        background=True)  # fmt: skip
    job = started.structured["job"]
    await until(use, job, "one")
    await use("write_file", path="go", content="")
    later = await until(use, job, "two")
    assert "one" not in later.text.splitlines()
    stopped = await use("run_command", job=job, action="stop")
    assert stopped.structured["running"] is False
    assert (
        "was ended" in (await use("run_command", job=job)).text or "is over" in (await use("run_command", job=job)).text
    )


async def test_a_job_that_ends_by_itself_tells_its_exit_code(use: Use) -> None:
    job = (await use("run_command", command="exit 4", background=True)).structured["job"]
    assert (await until(use, job, "exit code 4")).structured["exit_code"] == 4


async def test_a_job_belongs_to_its_session_and_ends_with_it(use: Use, tools: dict[str, Tool], folder: Path) -> None:
    job = (await use("run_command", command="echo $$ > pid; exec sleep 300", background=True)).structured["job"]
    assert "no background job" in (await use("run_command", session="other", job=job)).text
    ends_at = time.monotonic() + PATIENCE
    while not ((folder / "pid").exists() and (folder / "pid").read_text().strip()) and time.monotonic() < ends_at:
        await anyio.sleep(0.02)
    pid = int((folder / "pid").read_text())
    assert Path(f"/proc/{pid}").exists() or sys.platform != "linux"
    await tools["run_command"].end_session("s")
    assert not Path(f"/proc/{pid}").exists()
    assert "no background job" in (await use("run_command", job=job)).text


async def test_there_are_only_so_many_jobs_at_once(use: Use, tools: dict[str, Tool]) -> None:
    results = [await use("run_command", command="sleep 300", background=True) for _ in range(9)]
    assert [result.is_error for result in results] == [False] * 8 + [True]
    await tools["run_command"].end_session("s")


async def test_a_command_or_a_job_must_be_named(use: Use) -> None:
    for arguments in ({}, {"action": "stop"}, {"command": "ls", "job": "job_1"}):
        result = await use("run_command", **arguments)
        assert result.error is not None
        assert result.error.kind is ErrorKind.INVALID_ARGUMENTS


async def test_closing_the_jobs_ends_them_all() -> None:
    jobs = Jobs()
    await jobs.close()
    assert jobs.of_session("s") == ()

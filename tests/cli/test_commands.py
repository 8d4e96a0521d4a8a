import subprocess
import sys

import pytest

from mewcode import __version__
from mewcode.cli.commands import run
from mewcode.cli.failures import exit_code_of
from mewcode.errors import LimitReachedError, MewCodeError, ModelError, RefusedError, ServerMissingError, SettingsError

HEAVY = ("mcp", "pydantic_ai", "sqlalchemy", "openai", "anthropic", "typer", "pydantic", "prompt_toolkit", "rich")


def test_the_version_is_printed_without_loading_anything() -> None:
    program = (
        "import sys; sys.argv = ['mewcode', '--version']\n"
        "from mewcode.cli.main import main; main()\n"
        f"sys.stderr.write(' '.join(name for name in {HEAVY!r} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"mewcode {__version__}\n", "")


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["no-such-command"]) == 2
    assert "no-such-command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SettingsError, 2),
        (RefusedError, 3),
        (ServerMissingError, 4),
        (ModelError, 5),
        (LimitReachedError, 6),
        (MewCodeError, 1),
    ],
)
def test_each_kind_of_error_has_its_exit_code_and_says_what_it_is(
    error: type[MewCodeError], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_of(error("cli.no_directory", path="/x", why="it is gone")) == code
    assert capsys.readouterr().err == "mewcode: cannot enter /x: it is gone\n"


def test_an_error_of_ours_is_found_inside_the_groups_that_task_groups_wrap_around_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    group_type = type("ExceptionGroup", (Exception,), {})
    group = group_type("unhandled errors")
    group.exceptions = (ValueError("noise"), ModelError("cli.no_directory", path="/x", why="inner"))
    assert exit_code_of(group) == 5
    assert "inner" in capsys.readouterr().err


def test_a_defect_of_ours_leaves_its_traceback_in_a_file_and_not_on_the_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code_of(RuntimeError("boom")) == 1
    err = capsys.readouterr().err
    assert "RuntimeError" in err and "Traceback" not in err

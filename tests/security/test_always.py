"""What an answer leaves behind: the narrowest rule, in the user's own file, at once and in the next session."""

import os
from pathlib import Path

import pytest
from tests.security.house import call, options, question, result, write_settings, yes

from mewcode.app.house import open_app
from mewcode.calls import Answer, ErrorKind, Question, Remember, ToolResult

pytestmark = pytest.mark.anyio
COMMENT = "# written by hand\n"


def settings_text() -> str:
    return (Path(os.environ["MEWCODE_HOME"]) / "config.yaml").read_text()


@pytest.mark.parametrize(
    ("tool", "arguments", "rule", "other"),
    [
        ("write_file", {"path": "a.txt", "content": "x"}, "write_file(/a.txt)", {"path": "b.txt", "content": "x"}),
        ("run_command", {"command": "touch 'a b'"}, "run_command(touch 'a b')", {"command": "touch c"}),
        ("run_command", {"command": "npm run build"}, "run_command(npm run *)", {"command": "npm install"}),
    ],
)
async def test_always_writes_the_narrowest_rule_which_holds_at_once_and_in_the_next_session(
    tmp_path: Path, tool: str, arguments: dict[str, str], rule: str, other: dict[str, str]
) -> None:
    write_settings(f"{COMMENT}sandbox: 'off'\n")
    (tmp_path / ".mewcode.yaml").write_text("mode: default\n")
    async with open_app(options(tmp_path)) as app:
        asked = await question(app, tool, arguments)
        assert asked.suggestion is not None
        assert (asked.suggestion.rule, asked.suggestion.file) == (rule, str(app.paths.config))
        await result(app, tool, arguments, answer=yes(asked, Remember.ALWAYS))
        assert isinstance(await call(app, tool, arguments), ToolResult)
        assert isinstance(await call(app, tool, other), Question), "no more than that"
    assert COMMENT in settings_text() and rule in settings_text().replace("''", "'")
    assert (tmp_path / ".mewcode.yaml").read_text() == "mode: default\n"
    async with open_app(options(tmp_path)) as later:
        assert isinstance(await call(later, tool, arguments, session="s9"), ToolResult)
        assert isinstance(await call(later, tool, other, session="s9"), Question)


async def test_once_leaves_nothing_and_an_answer_fits_no_other_arguments(tmp_path: Path) -> None:
    write_settings("sandbox: 'off'\n")
    async with open_app(options(tmp_path)) as app:
        asked = await question(app, "write_file", {"path": "a.txt", "content": "x"})
        other = await result(app, "write_file", {"path": "b.txt", "content": "x"}, answer=yes(asked))
        assert other.error is not None and other.error.kind is ErrorKind.REFUSED
        asked = await question(app, "write_file", {"path": "a.txt", "content": "x"})
        forged = Answer(asked.id, "0" * 64, allow=True, remember=Remember.ALWAYS)
        assert (await result(app, "write_file", {"path": "a.txt", "content": "x"}, answer=forged)).is_error
        asked = await question(app, "write_file", {"path": "a.txt", "content": "x"})
        await result(app, "write_file", {"path": "a.txt", "content": "x"}, answer=yes(asked))
        assert isinstance(await call(app, "write_file", {"path": "a.txt", "content": "y"}), Question)
    assert "permissions" not in settings_text()

"""Rules that protect nothing are told of where a session begins."""

from pathlib import Path

import pytest
from tests.endpoint import Turn, serve
from tests.headless.whole_house import run_here, write_settings
from tests.security.house import options

from mewcode.app.house import open_app
from mewcode.app.rule_check import OTHER_TOOLS, mistakes_in
from mewcode.calls import Effect
from mewcode.governance import parse_rule

pytestmark = pytest.mark.anyio


async def test_a_deny_that_matches_nothing_is_said_at_the_start_of_a_run(tmp_path: Path) -> None:
    with serve([Turn("done")]) as endpoint:
        write_settings(endpoint, more="permissions: [{rule: 'Bash(rm *)', effect: deny}]\n")
        ran = await run_here(tmp_path, "go")
    told = [line["text"] for line in ran.of_type("notice")]
    assert [text for text in told if "Bash(rm *) can never match" in text and "run_command" in text]


async def test_every_tool_of_ours_may_be_ruled_on(tmp_path: Path) -> None:
    async with open_app(options(tmp_path)) as app:
        ours = [tool for tool in app.registry if tool.server is None]
        named = {tool.name for tool in ours} | {"read_resource", "sample_model"}
        built_in = [tool for tool in ours if tool.name not in OTHER_TOOLS]
        rules = [parse_rule(name, Effect.DENY) for name in named]
        assert mistakes_in(rules, app.loaded, built_in) == ()
        assert mistakes_in([parse_rule("Bash", Effect.DENY)], app.loaded, built_in)

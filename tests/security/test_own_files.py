"""Nobody who is bound by rules may change them."""

import os
from pathlib import Path

import pytest
from tests.security.house import options, question, result, write_settings

from mewcode.app.house import open_app
from mewcode.calls import ErrorKind

pytestmark = pytest.mark.anyio
OPEN = """
sandbox: 'off'
permissions: [{rule: "write_file(*)", effect: allow}, {rule: "run_command(*)", effect: allow}]
"""


@pytest.mark.parametrize("where", ["{home}/config.yaml", "link/config.yaml", "{home}/./x/../trust.json"])
async def test_no_tool_and_no_command_writes_our_own_settings_whatever_is_allowed(tmp_path: Path, where: str) -> None:
    settings = write_settings(OPEN)
    home = Path(os.environ["MEWCODE_HOME"])
    (tmp_path / "link").symlink_to(home)
    path = where.format(home=home)
    async with open_app(options(tmp_path)) as app:
        for tool, arguments in (
            ("write_file", {"path": path, "content": "permissions: []"}),
            ("run_command", {"command": f"echo 'permissions: []' > {path}"}),
            ("run_command", {"command": f"cp /dev/null {path}"}),
            ("run_command", {"command": f"ln -sf /dev/null {path}"}),
        ):
            refused = await result(app, tool, arguments)
            assert refused.error is not None
            assert refused.error.kind is ErrorKind.REFUSED
    assert settings.read_text().strip() == OPEN.strip()
    assert not (home / "trust.json").exists()


async def test_settings_of_the_project_are_written_only_after_a_second_look(tmp_path: Path) -> None:
    write_settings(OPEN)
    async with open_app(options(tmp_path)) as app:
        for name in (".mewcode.yaml", ".mcp.json"):
            await question(app, "write_file", {"path": name, "content": "{}"})
            await question(app, "run_command", {"command": f"echo '{{}}' > {name}"})
    assert not list(tmp_path.glob(".m*"))

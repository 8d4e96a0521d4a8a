"""What is said when a conversation opens."""

from pathlib import Path

import pytest

from mewcode.agent import NoticeLevel
from mewcode.app.conversations import notices_of
from mewcode.app.house import open_app
from mewcode.app.options import AppOptions
from mewcode.calls import Door
from mewcode.config import Paths
from mewcode.config.schema import Settings
from mewcode.models import ModelChoice
from mewcode.models.choice import choose_model

pytestmark = pytest.mark.anyio


def chosen(name: str | None) -> ModelChoice:
    return choose_model(Settings(), {}, override=name, embedded=lambda: "tiny", local_servers=lambda _: ())


@pytest.mark.parametrize(
    ("name", "level"), [(None, NoticeLevel.WARNING), ("local:tiny", NoticeLevel.INFO), ("local", NoticeLevel.INFO)]
)
async def test_the_embedded_model_is_never_taken_silently(tmp_path: Path, name: str | None, level: NoticeLevel) -> None:
    async with open_app(AppOptions(door=Door.RUN, workspace=tmp_path)) as house:
        assert notices_of(house, chosen(name))[0].level is level


@pytest.mark.parametrize("enabled", [True, False])
async def test_the_embedded_model_is_said_to_have_no_tools_of_servers(tmp_path: Path, enabled: bool) -> None:
    home = Paths.from_environment()
    home.ensure(home.home)
    home.config.write_text(f"mcp_servers: {{far: {{url: 'http://127.0.0.1:9/mcp', enabled: {str(enabled).lower()}}}}}")
    async with open_app(AppOptions(door=Door.RUN, workspace=tmp_path)) as house:
        told = [notice.text for notice in notices_of(house, chosen(None))]
    assert any("MCP servers are not offered" in text for text in told) is enabled

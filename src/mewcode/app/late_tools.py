"""Our tools that come with the servers, for whoever asks the policy about them while no server runs."""

from typing import TYPE_CHECKING, cast

from mewcode.tools import Tool, ToolRegistry

if TYPE_CHECKING:
    from mewcode.mcp import MCPManager


def late_tools() -> tuple[Tool, ...]:
    """What they are, not what they do: none of these can be run."""
    from mewcode.app.sampling import SampleModel, SessionModels
    from mewcode.mcp.client_tools import client_tools
    from mewcode.tools.search import ToolSearch

    nobody = cast("MCPManager", None)  # asked only when one of them is run
    return (ToolSearch(ToolRegistry()), SampleModel(SessionModels()), *client_tools(nobody))

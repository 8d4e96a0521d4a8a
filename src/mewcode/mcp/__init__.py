"""The host side of MCP: connections to servers, their tools in the registry, trust, logins and the catalogue.

The SDK (`mcp`) is imported by the first connection, not by this package.
"""

from mewcode.mcp.catalogue import Catalogue
from mewcode.mcp.definition import ServerDefinition, TlsFiles, ToolChoice
from mewcode.mcp.errors import McpError, RpcError, ServerGoneError
from mewcode.mcp.manager import MCPManager
from mewcode.mcp.ports import (
    Elicitation,
    ElicitationAnswer,
    ElicitationPort,
    Observer,
    Ports,
    SamplingAnswer,
    SamplingPort,
    SamplingRequest,
)
from mewcode.mcp.surroundings import Sdk, Surroundings
from mewcode.mcp.transports.watchdog import Watchdog
from mewcode.mcp.trust import Gatekeeper

__all__ = [
    "Catalogue",
    "Elicitation",
    "ElicitationAnswer",
    "ElicitationPort",
    "Gatekeeper",
    "MCPManager",
    "McpError",
    "Observer",
    "Ports",
    "RpcError",
    "SamplingAnswer",
    "SamplingPort",
    "SamplingRequest",
    "Sdk",
    "ServerDefinition",
    "ServerGoneError",
    "Surroundings",
    "TlsFiles",
    "ToolChoice",
    "Watchdog",
]

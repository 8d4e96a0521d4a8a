"""The MCP server and gateway: `mewcode serve`. It translates between MCP and the gate, and decides nothing itself."""

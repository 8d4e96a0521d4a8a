"""The host side of MCP: transports, connections, MCPManager, MCPToolWrapper, catalogue cache, trust, OAuth."""

"""The HTTP door: who gets in, the MCP endpoint, probes and metrics, and an orderly end."""

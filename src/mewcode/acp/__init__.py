"""The editors' door: the Agent Client Protocol."""

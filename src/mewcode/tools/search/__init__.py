"""ToolSearch and its index: finds deferred tools by name or by words, in any language."""

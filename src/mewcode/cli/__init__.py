"""One small module per command; the rest of MewCode is imported when a command needs it."""

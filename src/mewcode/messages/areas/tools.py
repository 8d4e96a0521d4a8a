"""Messages about tools. What only the model reads (descriptions, tool errors) stands beside the tools, in English."""

MESSAGES: dict[str, tuple[str, str]] = {}

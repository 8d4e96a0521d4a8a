"""One module per wire format: each builds pydantic-ai's model class for an endpoint, importing only its own SDK."""

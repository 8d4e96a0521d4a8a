"""One transport a file: stdio, Streamable HTTP, and the old HTTP+SSE."""

"""The built-in tools: reading, writing, editing, searching, finding, running, and the todo list."""

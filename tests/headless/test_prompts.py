"""The form of --prompt."""

import pytest

from mewcode.errors import UsageError
from mewcode.headless import PromptName


def test_server_prompt_and_arguments_are_read() -> None:
    parsed = PromptName.parse("mcp:github:review pr=12 'note=two words'")
    assert (parsed.server, parsed.name, parsed.arguments) == ("github", "review", {"pr": "12", "note": "two words"})
    assert PromptName.parse("/mcp:a:b:c").name == "b:c"


@pytest.mark.parametrize("value", ["", "review", "mcp:github", "mcp::x", "mcp:a:", "mcp:a:b word", "mcp:a:b =x", "'"])
def test_anything_else_is_a_usage_error(value: str) -> None:
    with pytest.raises(UsageError):
        PromptName.parse(value)

"""A project may choose among the user's models, and brings no weights of its own."""

import pytest

from mewcode.config.project import is_users_model
from mewcode.config.schema import Settings


@pytest.mark.parametrize("provider", ["local", "embedded", "ollama"])
def test_a_file_of_weights_is_no_choice_of_a_project(provider: str) -> None:
    user = Settings(model="local:qwen2.5-coder-1.5b")
    for name in ("evil.gguf", "./weights/evil.gguf ", "EVIL.GGUF"):
        assert not is_users_model(f"{provider}:{name}", user, {})


def test_a_file_that_the_user_named_stays_the_users() -> None:
    user = Settings(model="local:/home/me/mine.gguf")
    assert is_users_model("local:/home/me/mine.gguf", user, {})
    assert not is_users_model("local:/home/me/other.gguf", user, {})

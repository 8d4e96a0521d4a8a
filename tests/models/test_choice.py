"""Which model is taken, and why."""

import socket
from collections.abc import Mapping
from typing import Any

import pytest
from tests.endpoint import serve

from mewcode.config.schema import Settings
from mewcode.errors import ModelError
from mewcode.models import ModelChoice, choose_model
from mewcode.models.catalogue import known_provider
from mewcode.models.local.known_weights import DEFAULT_WEIGHTS
from mewcode.models.local_servers import LocalServer, find_local_servers, local_address, probe

NO_PORT = dict.fromkeys(("OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMA_SERVER_BASE_URL"), "127.0.0.1:9")
"""Port 9 refuses at once: what runs on the developer's machine is no part of the test."""


def chosen(
    environ: Mapping[str, str] = {}, *, override: str | None = None, embedded: str | None = None, **settings: Any
) -> ModelChoice:
    return choose_model(
        Settings.model_validate(settings), {**NO_PORT, **environ}, override=override, embedded=lambda: embedded
    )


def test_the_option_beats_the_variable_beats_the_setting() -> None:
    environ = {"MEWCODE_MODEL": "deepseek:two", "DEEPSEEK_API_KEY": "k", "OPENAI_API_KEY": "k", "GROQ_API_KEY": "k"}
    assert chosen(environ, override="groq:one", model="openai:three").name == "groq:one"
    assert chosen(environ, model="openai:three").name == "deepseek:two"
    del environ["MEWCODE_MODEL"]
    assert chosen(environ, model="openai:three").name == "openai:three"
    assert "settings" in chosen(environ, model="openai:three").why


def test_without_a_name_the_first_key_in_the_documented_order_decides_and_is_named() -> None:
    choice = chosen({"DEEPSEEK_API_KEY": "k", "OPENAI_API_KEY": "k"})
    assert choice.endpoint.provider == "openai" and "OPENAI_API_KEY" in choice.why
    assert chosen({"MOONSHOT_API_KEY": "k"}).endpoint.provider == "kimi"


@pytest.mark.parametrize(
    ("name", "variable", "provider", "model"),
    [
        ("claude-sonnet-5", "ANTHROPIC_API_KEY", "anthropic", "claude-sonnet-5"),
        ("zhipu:glm-5", "ZHIPU_API_KEY", "glm", "glm-5"),
        ("moonshot:kimi-k3", "MOONSHOT_API_KEY", "kimi", "kimi-k3"),
        ("dashscope:qwen-max", "DASHSCOPE_API_KEY", "qwen", "qwen-max"),
        ("gemini-4-carbon", "GEMINI_API_KEY", "google", "gemini-4-carbon"),
        ("openrouter:a/b:free", "OPENROUTER_API_KEY", "openrouter", "a/b:free"),
    ],
)
def test_names_and_aliases_lead_to_their_provider(name: str, variable: str, provider: str, model: str) -> None:
    endpoint = chosen({variable: "k"}, override=name).endpoint
    assert (endpoint.provider, endpoint.model, endpoint.api_key) == (provider, model, "k")


def test_an_unknown_provider_gets_the_nearest_name() -> None:
    with pytest.raises(ModelError, match="Did you mean anthropic") as caught:
        chosen(override="antropic:claude-sonnet-5")
    assert caught.value.exit_code == 5


def test_a_missing_key_names_the_variable() -> None:
    with pytest.raises(ModelError, match="DEEPSEEK_API_KEY"):
        chosen(override="deepseek:deepseek-chat")


def test_nothing_at_all_names_three_remedies() -> None:
    with pytest.raises(ModelError) as caught:
        chosen()
    assert all(remedy in str(caught.value) for remedy in ("API_KEY", "ollama serve", "mewcode[local]"))


def test_the_embedded_model_comes_last_and_is_honest_about_itself() -> None:
    choice = chosen(embedded="qwen2.5-coder-1.5b")
    assert choice.embedded and choice.name == "local:qwen2.5-coder-1.5b"
    assert "no key" in choice.why and "often wrong" in choice.why
    assert not chosen({"OPENAI_API_KEY": "k"}, embedded="qwen2.5-coder-1.5b").embedded
    with pytest.raises(ModelError):
        chosen(embedded="qwen2.5-coder-1.5b", models={"embedded": False})


def test_an_entry_of_the_settings_is_a_provider() -> None:
    entry = {
        "type": "openai",
        "base_url": "http://127.0.0.1:1/v4/",
        "api_key": "secret-of-mine",
        "headers": {"X-Team": "blue"},
        "models": ["first", "second"],
        "context_window": 9000,
        "prices": {"first": {"input": 1.0, "output": 2.0}},
        "timeout": "7s",
    }
    endpoint = chosen(override="mine", providers={"mine": entry}).endpoint
    assert endpoint.name == "mine:first" and endpoint.base_url == "http://127.0.0.1:1/v4"
    assert endpoint.context_window == 9000 and endpoint.prices is not None and endpoint.idle_seconds == 7
    assert "secret-of-mine" not in repr(endpoint) and "blue" not in repr(endpoint)
    assert chosen(override="second", providers={"mine": entry}).endpoint.name == "mine:second"
    assert chosen(providers={"mine": entry}).endpoint.name == "mine:first"


def test_a_key_from_the_environment_never_goes_to_another_address() -> None:
    entry = {"type": "openai", "base_url": "http://127.0.0.1:1/v1"}
    endpoint = chosen({"OPENAI_API_KEY": "the-real-key"}, override="openai:m", providers={"openai": entry}).endpoint
    assert endpoint.api_key is None


def test_anthropic_addresses_may_end_in_v1_or_not() -> None:
    for url in ("https://example.com/anthropic/v1", "https://example.com/anthropic/"):
        entry = {"type": "anthropic", "base_url": url, "api_key": "k"}
        endpoint = chosen(override="mine:m", providers={"mine": entry}).endpoint
        assert endpoint.base_url == "https://example.com/anthropic"


def test_a_fallback_that_cannot_be_used_is_noted_and_not_fatal() -> None:
    choice = chosen({"OPENAI_API_KEY": "k"}, model="openai:a", fallback_model="deepseek:b")
    assert choice.fallback is None and "DEEPSEEK_API_KEY" in choice.notes[0]
    choice = chosen({"OPENAI_API_KEY": "k", "DEEPSEEK_API_KEY": "k"}, model="openai:a", fallback_model="deepseek:b")
    assert choice.fallback is not None and choice.fallback.name == "deepseek:b" and choice.notes == ()


def test_a_server_on_this_machine_is_found_and_its_first_chat_model_taken() -> None:
    with serve([], models=("nomic-embed-text", "qwen3-coder:30b")) as served:
        choice = chosen({"OLLAMA_HOST": f"0.0.0.0:{served.port}"})
        assert choice.name == "ollama:qwen3-coder:30b"
        assert str(served.port) in choice.why
        named = chosen({"OLLAMA_HOST": f"127.0.0.1:{served.port}"}, override="ollama")
        assert named.name == "ollama:qwen3-coder:30b"
        assert named.endpoint.idle_seconds > 120


def test_a_server_that_accepts_and_says_nothing_costs_no_more_than_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        environ = {**NO_PORT, "OLLAMA_HOST": f"127.0.0.1:{mute.getsockname()[1]}"}
        assert find_local_servers(environ) == ()


def test_what_is_no_model_server_is_not_taken_for_one() -> None:
    with serve([], models=()) as served:
        assert probe("ollama", served.url, 5) is None
        assert probe("ollama", f"{served.anthropic_url}/nothing-here", 5) is None


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("192.168.1.5:9999", "http://192.168.1.5:9999/v1"),
        ("https://ollama.example.com", "https://ollama.example.com/v1"),
        ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"),
    ],
)
def test_ollamas_host_is_understood_in_every_spelling(given: str, address: str) -> None:
    known = known_provider("ollama")
    assert known is not None and local_address(known, {"OLLAMA_HOST": given}) == address


def test_a_found_server_that_is_not_known_by_its_default_port_is_reported() -> None:
    found = (LocalServer("lmstudio", "http://127.0.0.1:1234/v1", ("m",)),)
    choice = choose_model(Settings(), {}, local_servers=lambda environ: found)
    assert choice.name == "lmstudio:m" and "lmstudio" in choice.why


@pytest.mark.parametrize("name", ["local", "embedded"])
def test_the_embedded_model_may_be_named_by_its_provider_alone(name: str) -> None:
    assert chosen(override=name).name == f"local:{DEFAULT_WEIGHTS.name}"

"""A client can be built for every provider that MewCode names, without touching the network."""

import importlib.util

import pytest

from mewcode.config.schema import Settings
from mewcode.errors import ModelError
from mewcode.models.catalogue import KNOWN_PROVIDERS, KnownProvider
from mewcode.models.client import build_model
from mewcode.models.endpoint import Endpoint
from mewcode.models.resolution import resolve

OVER_HTTP = [known for known in KNOWN_PROVIDERS if known.wire not in {"local", "bedrock"}]


@pytest.mark.parametrize("known", OVER_HTTP, ids=lambda known: known.name)
def test_its_client_speaks_to_its_address_with_its_key(known: KnownProvider) -> None:
    environ = dict.fromkeys(known.keys[:1], "the-key")
    if known.vendor == "azure":
        environ["AZURE_OPENAI_ENDPOINT"] = "https://mine.openai.azure.com"
    name = "vendor/some-model" if known.name == "openrouter" else "some-model"
    endpoint = resolve(f"{known.name}:{name}", Settings(), environ)
    model = build_model(endpoint)
    assert model.model_name == name
    if endpoint.base_url:
        assert str(model.base_url).startswith(endpoint.base_url.rstrip("/"))


def test_a_key_of_openai_in_the_environment_is_not_borrowed_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    model = build_model(Endpoint("mine", "m", "openai", base_url="http://127.0.0.1:9/v1"))
    assert model.client.api_key != "sk-of-openai"  # pyright: ignore


@pytest.mark.skipif(importlib.util.find_spec("boto3") is not None, reason="the extra is installed")
def test_bedrock_without_its_extra_says_what_to_install() -> None:
    with pytest.raises(ModelError, match=r"mewcode\[bedrock\]"):
        build_model(Endpoint("bedrock", "m", "bedrock"))

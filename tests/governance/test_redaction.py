"""Secrets stay out of whatever leaves the gate."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mewcode.governance.redaction import Redactor

B64 = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TOKENS = [
    "AKIA" + "ABCDEFGH12345678",
    "ghp_" + B64[:36],
    "github_pat_" + B64[:40],
    "glpat-" + B64[:20],
    "sk-ant-api03-" + B64,
    "sk-proj-" + B64,
    "sk_live_" + B64[:24],
    "xoxb-" + "123456789012-" + B64[:24],
    "AIza" + B64[:35],
    "npm_" + B64[:36],
    "hf_" + B64[:34],
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + B64[:43],
    "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIE" + B64 * 20 + "\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\n" + B64 * 20,
]


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token[:12].strip("-"))
def test_common_tokens_are_redacted_wherever_they_stand(token: str) -> None:
    redactor = Redactor()
    for text in (token, f"key={token}\n", f'{{"key": "{token}"}}', f"before {token} after"):
        assert B64[:16] not in redactor.redact(text)
        assert "ABCDEFGH12345678" not in redactor.redact(text)
        assert redactor.kinds(text)


def test_passwords_in_urls_and_bearer_tokens_are_redacted() -> None:
    redactor = Redactor()
    assert "hunter2" not in redactor.redact("postgres://bob:hunter2@db/x")
    assert B64[:30] not in redactor.redact(f"Authorization: Bearer {B64}")


@pytest.mark.parametrize("text", [
    "the risk-assessment-of-the-whole-department-2024 is done",
    "sk-learn-in-practice-chapter-seven-and-more",
    "https://example.com/path:8080/x", "def token(): return None", "AKIA is a prefix", "a" * 200,
])  # fmt: skip
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert Redactor().redact(text) == text


def test_values_of_the_settings_are_redacted_in_every_spelling() -> None:
    redactor = Redactor(['p@ss "word"/1234'])
    for text in (
        'p@ss "word"/1234',
        "p%40ss%20%22word%22%2F1234",
        '{"a": "p@ss \\"word\\"/1234"}',
        "cEBzcyAid29yZCIvMTIzNA==",
    ):
        assert "[redacted]" in redactor.redact(text)


def test_json_is_redacted_at_any_depth_and_otherwise_the_same_object() -> None:
    redactor = Redactor(["topsecret"])
    value = {"a": [{"b": "topsecret"}], "c": 3}
    assert redactor.redact_json(value) == {"a": [{"b": "[redacted]"}], "c": 3}
    harmless = {"a": [1, "x"]}
    assert redactor.redact_json(harmless) is harmless


@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor(["topsecret"])
    once = redactor.redact(text)
    assert redactor.redact(once) == once


HOSTILE = ["AKIA", "sk-", "ghp_", "eyJ", ".eyJ", "eyJaaaaaaaa.eyJaaaaaaaa", "://a:", "-----BEGIN ", "xoxb-", "Bearer a"]


@pytest.mark.parametrize("piece", [*HOSTILE, "-----BEGIN PRIVATE KEY-----", "a" * 50], ids=lambda piece: piece[:12])
def test_no_text_makes_redaction_slow(piece: str) -> None:
    text = piece * ((4 << 20) // len(piece))
    started = time.process_time()
    Redactor(["topsecret"]).redact(text)
    assert time.process_time() - started < 20

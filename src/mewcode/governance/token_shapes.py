"""What secrets look like: the shapes of common tokens, each found in time linear in the text."""

import re
from collections.abc import Callable
from dataclasses import dataclass

Judge = Callable[[str], bool]


def _always(found: str) -> bool:
    return True


def _has_digit(found: str) -> bool:
    """Keys are random; `sk-learn-in-practice-chapter-one` is not."""
    return any(character.isdigit() for character in found)


@dataclass(frozen=True)
class Shape:
    """`start` is the literal text that `pattern` begins with: a text without it is not searched. Patterns hold at most
    one open-ended run and nothing that could match in two ways, so that no text makes them slow. Where the pattern has
    a group, only that is the secret."""

    kind: str
    start: str
    pattern: re.Pattern[str]
    judge: Judge = _always


def _shape(kind: str, start: str, rest: str, judge: Judge = _always) -> Shape:
    return Shape(kind, start, re.compile(re.escape(start) + rest), judge)


SHAPES = (
    _shape("aws-access-key", "AKIA", r"[0-9A-Z]{16}(?![0-9A-Za-z])"),
    _shape("aws-access-key", "ASIA", r"[0-9A-Z]{16}(?![0-9A-Za-z])"),
    _shape("aws-secret-key", "aws_secret_access_key", r"[\"']?\s{0,4}[=:]\s{0,4}[\"']?([A-Za-z0-9/+=]{40})"),
    _shape("aws-secret-key", "AWS_SECRET_ACCESS_KEY", r"[\"']?\s{0,4}[=:]\s{0,4}[\"']?([A-Za-z0-9/+=]{40})"),
    *(_shape("github-token", f"gh{kind}_", r"[A-Za-z0-9]{36,}") for kind in "pousr"),
    _shape("github-token", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    _shape("gitlab-token", "glpat-", r"[A-Za-z0-9_\-]{20,}"),
    _shape("anthropic-key", "sk-ant-", r"[A-Za-z0-9_\-]{20,}"),
    _shape("api-key", "sk-", r"[A-Za-z0-9_\-]{20,}", _has_digit),
    _shape("stripe-key", "sk_live_", r"[A-Za-z0-9]{16,}"),
    _shape("stripe-key", "rk_live_", r"[A-Za-z0-9]{16,}"),
    *(_shape("slack-token", f"xox{kind}-", r"[A-Za-z0-9\-]{10,}", _has_digit) for kind in "abeoprs"),
    _shape("slack-token", "xapp-", r"[A-Za-z0-9\-]{10,}", _has_digit),
    _shape("slack-webhook", "hooks.slack.com/services/", r"(T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{16,})"),
    _shape("google-key", "AIza", r"[0-9A-Za-z_\-]{35}"),
    _shape("google-token", "ya29.", r"[0-9A-Za-z_\-]{20,}"),
    _shape("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    _shape("pypi-token", "pypi-AgE", r"[A-Za-z0-9_\-]{50,}"),
    _shape("huggingface-token", "hf_", r"[A-Za-z0-9]{34,}"),
    _shape("digitalocean-token", "dop_v1_", r"[a-f0-9]{64}"),
    _shape("sendgrid-key", "SG.", r"[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43}"),
    *(
        _shape("authorization", f"{bearer} ", r"([A-Za-z0-9._~+/\-]{20,}={0,2})", _has_digit)
        for bearer in ("Bearer", "bearer", "BEARER")
    ),
    _shape("password", "://", r"[^/\s:@'\"]{1,100}:([^/\s@'\"]{1,200})@"),
)

WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def begins_a_word(text: str, at: int) -> bool:
    """Whether no word runs into the token: `risk-…` holds no `sk-…`."""
    return at == 0 or text[at - 1] not in WORD

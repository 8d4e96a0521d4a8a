"""What the audit keeps of arguments: bounded whatever they are, redacted wherever a secret is."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mewcode.governance.audit.bounded import TOTAL_LIMIT, bounded

SECRET = "sk-live-0123456789"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=30,
)


def redact(text: str) -> str:
    return text.replace(SECRET, "[redacted]")


@given(JSON)
@settings(deadline=None)
def test_small_values_without_secrets_are_kept_as_they_are(value: object) -> None:
    clean = json.loads(json.dumps(value).replace("\\u0000", "").encode("utf-8", "replace"))
    if "\\ud" not in json.dumps(clean):
        assert bounded(clean, redact) == clean


@given(st.text(max_size=5_000), st.text(max_size=5_000))
@settings(deadline=None, max_examples=50)
def test_a_secret_is_never_kept_wherever_the_cut_falls(before: str, after: str) -> None:
    kept = json.dumps(bounded({"text": before * 3 + SECRET + after, SECRET: [SECRET]}, redact), ensure_ascii=False)
    assert SECRET not in kept
    assert "sk-live-01" not in kept.replace(before, "").replace(after, "")


def test_whatever_comes_is_bounded_and_says_what_was_left_out() -> None:
    deep: object = "end"
    for _ in range(100):
        deep = {"deeper": deep}
    for value in (deep, ["x" * 1_000] * 1_000, {str(n): "y" * 1_999 for n in range(500)}, "z" * 10_000_000):
        text = json.dumps(bounded(value, redact))
        assert len(text) <= TOTAL_LIMIT + 1_000
        assert "$cut" in text

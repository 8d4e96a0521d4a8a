"""The gate's reasons in the language of the person who reads them."""

import re
from functools import cache

from mewcode.messages.catalogue import area, language

_VALUE = re.compile(r"\{(\w+)\}")


def reason_shown(reason: str) -> str:
    """A reason as a person reads it; one that no table knows (a rule's own words, say) stays as it is.

    Reasons travel as English text, through stores and to models; only where they are shown are they translated.
    """
    if language() == "en":
        return reason
    for pattern, chinese in _patterns():
        if found := pattern.fullmatch(reason):
            values = {name: reason_shown(value) for name, value in found.groupdict().items()}
            return chinese.format(**values)
    return reason


@cache
def _patterns() -> tuple[tuple["re.Pattern[str]", str], ...]:
    """The sentences with the most fixed text first, so that `it writes X, outside …` goes before `it writes X`."""
    pairs = [*area("reasons").values(), *area("commands").values()]
    ordered = sorted(pairs, key=lambda pair: len(_VALUE.sub("", pair[0])), reverse=True)
    return tuple((_pattern(english), chinese) for english, chinese in ordered)


def _pattern(english: str) -> "re.Pattern[str]":
    parts = _VALUE.split(english)
    text = "".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.compile(text, re.DOTALL)

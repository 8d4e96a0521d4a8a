"""What a plain (unquoted) scalar means: the core schema of YAML 1.2.2, section 10.3.2."""

import re

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF|nan|NaN|NAN)")


def plain_value(text: str) -> str | int | float | bool | None:
    """off, yes and 2026-01-01 are text; 012 is twelve."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if not text[0].isascii() or text[0].isalpha():
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text, 0)
    if _HEX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    special = _SPECIAL.fullmatch(text)
    return float(special[1] + special[2].lower()) if special else text

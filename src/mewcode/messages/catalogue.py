"""Looks a message up by its code, in the reader's language."""

import importlib
import os
from collections.abc import Mapping
from functools import cache
from typing import Literal

Language = Literal["en", "zh"]

_LOCALE_VARIABLES = ("MEWCODE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def language(environ: Mapping[str, str] | None = None) -> Language:
    """The reader's language: the first of MEWCODE_LANG, LC_ALL, LC_MESSAGES and LANG that is set decides."""
    variables = os.environ if environ is None else environ
    chosen = next((variables[name] for name in _LOCALE_VARIABLES if variables.get(name)), "en")
    return "zh" if chosen.lower().startswith("zh") else "en"


def message(code: str, **values: object) -> str:
    """The sentence behind `code` ("area.name") with `values` filled in.

    Raises KeyError for a code that no area defines: that is a defect of ours, not of the user.
    """
    english, chinese = area(code.partition(".")[0])[code]
    template = chinese if language() == "zh" else english
    return template.format(**values)


def english(code: str, **values: object) -> str:
    """The same in English, whoever reads it: for what models read, and for what is translated where it is shown."""
    return area(code.partition(".")[0])[code][0].format(**values)


@cache
def area(name: str) -> Mapping[str, tuple[str, str]]:
    """All messages of one area, loaded when the first of them is needed."""
    return importlib.import_module(f"mewcode.messages.areas.{name}").MESSAGES

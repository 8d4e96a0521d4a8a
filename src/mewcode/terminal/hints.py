"""The few settings that the very first frame needs, read without loading what reads settings properly.

Only the user's own file is looked at, and only for words that change how the screen looks. Whatever is missed here is
put right as soon as the settings are loaded.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_UI = re.compile(r"^ui:[ \t]*(?P<inline>\{[^}\n]*\})?[^\n]*\n?(?P<block>(?:[ \t]+[^\n]*\n?|\n)*)", re.MULTILINE)
_LONGEST = 1 << 20


@dataclass(frozen=True)
class Hints:
    """`home` is MEWCODE_HOME. `language` is en, zh or "" for the locale's."""

    home: Path
    theme: str = "auto"
    vi: bool = False
    language: str = ""
    remembers: bool = True
    """Whether input lines are kept at all (ui.history is not 0)."""


def hints_of(environ: Mapping[str, str]) -> Hints:
    home = Path(environ.get("MEWCODE_HOME") or "~/.mewcode").expanduser().absolute()
    try:
        with (home / "config.yaml").open(encoding="utf-8", errors="replace") as file:
            text = file.read(_LONGEST)
    except OSError:
        return Hints(home)
    found = _UI.search(text)
    if found is None:
        return Hints(home)
    group = found.group("inline") or found.group("block")
    language = _value(group, "language")
    return Hints(
        home,
        theme=_value(group, "theme") or "auto",
        vi=_value(group, "keys") == "vi",
        language=language if language in ("en", "zh") else "",
        remembers=_value(group, "history") != "0",
    )


def _value(group: str, key: str) -> str:
    found = re.search(rf"(?:^|[{{,\s]){key}:\s*[\"']?([a-z0-9-]+)", group)
    return found.group(1) if found else ""

"""Colours by meaning: one table for what is printed into the scrollback and for what the screen draws."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

DARK = {
    "dim": "2",
    "bold": "1",
    "accent": "36",
    "user": "1",
    "ok": "32",
    "bad": "31",
    "warn": "33",
    "added": "32",
    "removed": "31",
    "hunk": "36",
    "heading": "1;36",
    "code": "36",
    "plan": "34",
    "default": "32",
    "accept-edits": "35",
    "auto": "33",
}
"""SGR parameters. Only the terminal's own sixteen colours, so that they fit whatever background it has."""

LIGHT = {**DARK, "accent": "34", "warn": "35", "hunk": "34", "heading": "1;34", "code": "34", "auto": "31"}
"""Yellow and cyan are hard to read on white."""

_PT_COLOURS = {"31": "ansired", "32": "ansigreen", "33": "ansiyellow", "34": "ansiblue", "35": "ansimagenta"}
_PT = {**_PT_COLOURS, "36": "ansicyan", "1": "bold", "2": "dim"}


@dataclass(frozen=True)
class Ink:
    """`name` is light or dark. Without `colour` only bold and dim are left (NO_COLOR); `plain` leaves nothing."""

    name: str = "dark"
    colour: bool = True
    plain: bool = False

    @property
    def table(self) -> Mapping[str, str]:
        return LIGHT if self.name == "light" else DARK

    def paint(self, text: str, meaning: str) -> str:
        """`text` for printing, each of its lines painted by itself."""
        codes = self._codes(meaning)
        if not codes or not text:
            return text
        return "\n".join(f"\x1b[{codes}m{line}\x1b[0m" if line else "" for line in text.split("\n"))

    def style_rules(self) -> dict[str, str]:
        """The same table as style rules of prompt_toolkit."""
        return {name: " ".join(_PT[code] for code in self._codes(name).split(";") if code) for name in self.table}

    def _codes(self, meaning: str) -> str:
        codes = self.table.get(meaning, "")
        if self.plain:
            return ""
        if self.colour:
            return codes
        return ";".join(code for code in codes.split(";") if code in ("1", "2"))


def choose_ink(theme: str, environ: Mapping[str, str] | None = None) -> Ink:
    """`theme` is the setting ui.theme; "auto" asks COLORFGBG, which several terminals set, and else takes dark."""
    variables = os.environ if environ is None else environ
    colour = not variables.get("NO_COLOR")
    if theme in ("light", "dark"):
        return Ink(theme, colour)
    background = variables.get("COLORFGBG", "").rpartition(";")[2]
    return Ink("light" if background in ("7", "15") else "dark", colour)

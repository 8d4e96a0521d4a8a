"""Command lines are parsed, not matched as text: which commands run at any depth, and what they touch.

`analyse` gives the commands; `matches` is for deny and ask rules, `allows` for allow rules; `preset` reads a shipped
rule set. Only bash is understood; docs/commands.md says what each class means.
"""

from mewcode.governance.commands.analyse import analyse
from mewcode.governance.commands.analysis import Analysis, Command, FileUse
from mewcode.governance.commands.matching import allows, matches
from mewcode.governance.commands.presets import Preset, PresetRule, preset

__all__ = ["Analysis", "Command", "FileUse", "Preset", "PresetRule", "allows", "analyse", "matches", "preset"]

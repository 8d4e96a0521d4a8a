"""The shipped command sets, read once a process: they are part of the program and do not change."""

from functools import cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mewcode.governance.commands import Preset
    from mewcode.governance.commands.presets import PresetName


@cache
def load_preset(name: str) -> "Preset":
    """The set of that name. Raises KeyError for one that is not shipped."""
    from mewcode.governance.commands import preset

    return preset(cast("PresetName", name))

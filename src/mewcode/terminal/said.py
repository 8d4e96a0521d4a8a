"""A message as the person wrote it, before the agent gets it. Loads nothing: it may come before anything is there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mewcode.calls import Image


@dataclass(frozen=True)
class Said:
    """`text` is shown and sent. `beside` is for the model alone, like the text that a command stands for."""

    text: str
    beside: tuple[str, ...] = ()
    images: "tuple[Image, ...]" = ()
    whole: bool = False
    """Whether what the text mentions is beside it already."""

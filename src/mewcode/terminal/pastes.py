"""Long pastes and pictures: the input line shows a placeholder, the message gets the whole."""

import re
from typing import TYPE_CHECKING

from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.calls import Image

LONG_LINES = 6
LONG_CHARACTERS = 800


class Pastes:
    """Remembers what each placeholder stands for, until the message that holds it is sent."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._images: dict[str, Image] = {}

    def shorten(self, text: str) -> str:
        """What the input line should show for a pasted text: the text itself, or a placeholder for a long one."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n") + 1
        if lines < LONG_LINES and len(text) < LONG_CHARACTERS:
            return text
        placeholder = message("terminal.pasted", number=len(self._texts) + 1, lines=lines)
        self._texts[placeholder] = text
        return placeholder

    def hold(self, image: "Image") -> str:
        """The placeholder of a picture; it stays in the message, so that the text can speak of it."""
        kind, size = image.media_type.rpartition("/")[2].upper(), -(-len(image.data) // 1024)
        placeholder = message("terminal.image", number=len(self._images) + 1, kind=kind, size=size)
        self._images[placeholder] = image
        return placeholder

    def images_in(self, text: str) -> "tuple[Image, ...]":
        return tuple(image for placeholder, image in self._images.items() if placeholder in text)

    def expand(self, text: str) -> str:
        """`text` with every placeholder of a text replaced by what was pasted."""
        if not self._texts:
            return text
        known = re.compile("|".join(re.escape(placeholder) for placeholder in self._texts))
        return known.sub(lambda found: self._texts[found.group()], text)

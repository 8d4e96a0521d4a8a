"""Long pastes: the input line shows a placeholder, the message gets the whole."""

import re

from mewcode.messages import message

LONG_LINES = 6
LONG_CHARACTERS = 800


class Pastes:
    """Remembers what each placeholder stands for, until the message that holds it is sent."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._count = 0

    def shorten(self, text: str) -> str:
        """What the input line should show for a pasted text: the text itself, or a placeholder for a long one."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n") + 1
        if lines < LONG_LINES and len(text) < LONG_CHARACTERS:
            return text
        self._count += 1
        placeholder = message("terminal.pasted", number=self._count, lines=lines)
        self._texts[placeholder] = text
        return placeholder

    def expand(self, text: str) -> str:
        """`text` with every placeholder replaced by what was pasted."""
        if not self._texts:
            return text
        known = re.compile("|".join(re.escape(placeholder) for placeholder in self._texts))
        return known.sub(lambda found: self._texts[found.group()], text)

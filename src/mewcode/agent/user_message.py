"""What a person says to the model, with all that goes along with it."""

import re
from dataclasses import dataclass

from mewcode.agent.render import clean
from mewcode.calls import Image

_TAG = re.compile(r"<(\s*/?\s*(?:attachment|system-reminder))", re.IGNORECASE)
_ASIDES = ("<system-reminder>", "<attachment>")


@dataclass(frozen=True)
class UserMessage:
    """`text` is the person's own words. `beside` are texts for the model alone: a file that was mentioned, fenced where
    it comes from outside, or what a command stands for. They are not shown, exported, or gone back to as words of the
    person's."""

    text: str
    beside: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()

    @property
    def attachments(self) -> tuple[str, ...]:
        """`beside`, marked as what it is; nothing in such a text can end it."""
        return tuple(
            "\n".join(("<attachment>", _TAG.sub(r"&lt;\1", clean(text)), "</attachment>")) for text in self.beside
        )


def message_of(prompt: "str | UserMessage") -> UserMessage:
    return prompt if isinstance(prompt, UserMessage) else UserMessage(prompt)


def is_persons(text: str) -> bool:
    """Whether the text of a saved user part is the person's own words, and not what went along with them."""
    return bool(text) and not text.startswith(_ASIDES)

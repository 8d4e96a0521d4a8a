"""What a person says to the model, with all that goes along with it."""

from dataclasses import dataclass

from mewcode.agent.reminders import wrap_reminder
from mewcode.calls import Image

MOST_BESIDE = 200_000
"""Characters of one text that goes along; what it quotes was cut to fit the model's window before."""


@dataclass(frozen=True)
class UserMessage:
    """`text` is the person's own words. `beside` are texts for the model alone: a file that was mentioned, fenced where
    it comes from outside, or what a command stands for. They are not shown, exported, or gone back to as words of the
    person's."""

    text: str
    beside: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()

    @property
    def reminders(self) -> tuple[str, ...]:
        """`beside`, marked as what it is."""
        return tuple(wrap_reminder(text, MOST_BESIDE) for text in self.beside)


def message_of(prompt: "str | UserMessage") -> UserMessage:
    return prompt if isinstance(prompt, UserMessage) else UserMessage(prompt)

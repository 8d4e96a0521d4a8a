"""A word of a command after expansion, as far as it is known before the line runs."""

import fnmatch
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from mewcode.governance.file_names import Drawn


@dataclass(frozen=True)
class Word:
    """`text` is the word after quote removal; parts known only at run time stand as they are written (`$X`).

    `prefix` is the known text before the first unknown part or wildcard.
    """

    text: str
    literal: bool = True
    """Exactly this text, exactly one word."""
    prefix: str = ""
    glob: bool = False
    """It has an unquoted wildcard and is replaced by the file names that match."""
    splits: bool = False
    """It may become no word or several of any text."""
    wild: bool = False
    """Nothing but its wildcards is unknown."""
    names: Drawn | None = None
    """The files among which it will be, where that is known."""
    substitution: bool = False
    """It is a process substitution: a pipe's name, `/dev/fd/63`."""

    @property
    def may_be_option(self) -> bool:
        """Whether it may turn out to be an option that is not written in the line."""
        if self.literal or self.substitution:
            return False
        return self.splits or not self.prefix or self.prefix.startswith("-")

    @property
    def quoted(self) -> str:
        """For canonical texts: quoted only where it holds blanks or is empty."""
        if not self.text:
            return "''"
        return shlex.quote(self.text) if any(letter.isspace() for letter in self.text) else self.text

    def after(self, count: int) -> "Word":
        """The rest of the word behind `count` known characters (an option's attached value)."""
        return Word(
            self.text[count:],
            literal=self.literal,
            prefix=self.prefix[count:],
            glob=self.glob,
            splits=self.splits,
            wild=self.wild,
            substitution=False,
        )

    def might_be(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names that a wildcard word could turn into; nothing for a word without wildcards."""
        if not self.glob:
            return ()
        pattern = self.text.rpartition("/")[2]
        return tuple(name for name in names if fnmatch.fnmatchcase(name, pattern))


UNKNOWN_WORDS = Word("…", literal=False, splits=True)
"""Any number of words that come from outside the line (the input of xargs)."""


def known(text: str) -> Word:
    return Word(text, prefix=text)


def known_later(word: Word) -> Word:
    """Files that the file `word` lists: which ones, nobody knows before the line runs."""
    return Word(f"(those that {word.text} lists)", literal=False, prefix="./")

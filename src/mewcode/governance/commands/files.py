"""From a word to the file it names."""

import posixpath
from dataclasses import replace

from mewcode.governance.commands.analysis import Beneath, FileUse
from mewcode.governance.commands.word import Word
from mewcode.governance.file_names import ALL_HERE, Drawn, FileNames, is_plain


def use_of(word: Word, directory: str | None, how: str, *, hidden: bool = False, beneath: Beneath = "") -> FileUse:
    """The file that `word` names when the line has changed to `directory` (relative to its start; None: unknown)."""
    use = FileUse(word.text, word.literal, how, hidden, beneath, wild=word.wild, own_beneath=beneath)
    if not posixpath.isabs(word.text) and directory is None:
        return replace(use, literal=False, wild=False, drawn=_somewhere(word))
    path = word.text if posixpath.isabs(word.text) else posixpath.join(directory or "", word.text)
    return replace(use, path=path, drawn=() if word.literal or word.wild else _drawn(word))


def _drawn(word: Word) -> Drawn:
    return ALL_HERE if word.names is None else word.names


def _somewhere(word: Word) -> Drawn:
    """A known name in a folder that is not."""
    name = posixpath.basename(word.text)
    return ((".", FileNames(only=(name,))),) if word.literal and is_plain(name) else _drawn(word)

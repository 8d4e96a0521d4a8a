"""From a word to the file it names."""

import posixpath

from mewcode.governance.commands.analysis import Beneath, FileUse
from mewcode.governance.commands.word import Word


def use_of(word: Word, directory: str | None, how: str, *, hidden: bool = False, beneath: Beneath = "") -> FileUse:
    """The file that `word` names when the line has changed to `directory` (relative to its start; None: unknown)."""
    path = word.text
    if posixpath.isabs(path) or directory == "":
        return FileUse(path, word.literal, how, hidden, beneath)
    if directory is None:
        return FileUse(path, False, how, hidden, beneath)
    return FileUse(posixpath.join(directory, path), word.literal, how, hidden, beneath)

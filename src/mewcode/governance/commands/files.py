"""From a word to the file it names."""

import posixpath
from dataclasses import replace

from mewcode.governance.commands.analysis import Beneath, FileUse
from mewcode.governance.commands.variables import Variables
from mewcode.governance.commands.word import Word
from mewcode.governance.file_names import ALL_HERE, Drawn, FileNames, is_plain


def uses_of(
    word: Word, variables: Variables, how: str, *, hidden: bool = False, beneath: Beneath = ""
) -> list[FileUse]:
    """The files that `word` may name, one for each folder that the line may be in by then."""
    uses = (
        _use(word, place, FileUse(word.text, word.literal, how, hidden, beneath)) for place in variables.directories
    )
    return list(dict.fromkeys(uses))


def _use(word: Word, directory: str | None, bare: FileUse) -> FileUse:
    use = replace(bare, wild=word.wild, own_beneath=bare.beneath)
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

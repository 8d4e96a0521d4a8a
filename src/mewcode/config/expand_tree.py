"""Expands every string of a settings tree and names what has no value."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mewcode.config.expansion import Expanded, ExpansionError, Wanted, expand, wanted
from mewcode.config.node import Key, Node, dotted
from mewcode.config.place import Place
from mewcode.messages import message

MAX_FILE_BYTES = 64 * 1024
"""A ${file:PATH} holds a key or a certificate, not a document."""


@dataclass(frozen=True)
class Failure:
    """A value that could not be expanded; `keys` is the way to it."""

    keys: tuple[Key, ...]
    place: Place
    text: str


@dataclass
class Expansion:
    """Expands trees and gathers what happened: the secrets that came in, the values that failed."""

    environ: Mapping[str, str]
    secrets: set[str] = field(default_factory=set[str])
    failures: list[Failure] = field(default_factory=list[Failure])

    def expand(self, node: Node, keys: tuple[Key, ...] = ()) -> Node:
        """The tree with its strings expanded. A value that failed keeps its text; it stands in `failures`."""
        if node.entries:
            return replace(node, value={key: self.expand(item, (*keys, key)) for key, item in node.entries.items()})
        if node.items:
            return replace(node, value=tuple(self.expand(item, (*keys, i)) for i, item in enumerate(node.items)))
        if not isinstance(node.value, str) or "${" not in node.value:
            return node
        return self._expand_text(node, node.value, keys)

    def _expand_text(self, node: Node, text: str, keys: tuple[Key, ...]) -> Node:
        folder = Path(node.place.file).parent if node.place.file else Path.cwd()
        try:
            expanded = expand(text, self.environ, lambda path: read_secret_file(path, folder, self.environ))
        except ExpansionError as error:
            self.failures.append(Failure(keys, node.place, _why(error, keys)))
            return node
        self._remember(expanded)
        return replace(node, value=expanded.text, template=text)

    def _remember(self, expanded: Expanded) -> None:
        self.secrets.update(secret for secret in expanded.secrets if secret)


def _why(error: ExpansionError, keys: tuple[Key, ...]) -> str:
    codes = {"unset": "config.unset_variable", "file": "config.secret_file", "syntax": "config.bad_reference"}
    return message(codes[error.kind], name=error.name, key=dotted(keys), reason=error.reason)


def read_secret_file(path: str, folder: Path, environ: Mapping[str, str]) -> str:
    """The text of ${file:PATH} without the last line end. Relative paths start at the settings file's folder."""
    home = environ.get("HOME") or str(Path.home())
    file = folder / (path if not path.startswith("~/") else f"{home}/{path[2:]}")
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ExpansionError("file", path, "not a regular file")
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise ExpansionError("file", path, f"larger than {MAX_FILE_BYTES // 1024} KiB")
        return data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ExpansionError("file", path, "not UTF-8") from None
    except OSError as error:
        raise ExpansionError("file", path, os.strerror(error.errno or 0)) from None


def wanted_by(node: Node) -> Wanted:
    """Every variable and file that the strings of a tree name."""
    found = [wanted(leaf.value) for _, leaf in node.leaves() if isinstance(leaf.value, str)]
    return Wanted(
        tuple(dict.fromkeys(name for one in found for name in one.variables)),
        tuple(dict.fromkeys(name for one in found for name in one.files)),
    )

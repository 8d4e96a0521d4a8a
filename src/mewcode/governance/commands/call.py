"""One simple command under judgement: what the tables' handlers look at and write to."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mewcode.governance.commands.analysis import Beneath, Command
from mewcode.governance.commands.files import uses_of
from mewcode.governance.commands.flow import Flow, Input
from mewcode.governance.commands.word import Word, known
from mewcode.governance.file_names import EVERY_NAME, Drawn, FileNames

if TYPE_CHECKING:
    from mewcode.governance.commands.options import Arguments
    from mewcode.governance.commands.walker import Walker

STANDARD_DIRECTORIES = frozenset(
    ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin")
)


@dataclass
class Call:
    """`name` is the program's name, `words` the whole command with it in front."""

    name: str
    words: list[Word]
    arguments: Arguments
    flow: Flow
    walker: Walker
    classes: set[str] = field(default_factory=set[str])
    readings: list[str] = field(default_factory=list[str])
    canonical: list[Word] | None = None
    """The words for the canonical text, where they are not `words`: git without its global options."""
    printed: Drawn | None = None
    """The files that its output names, where it tells itself."""
    reads_only: bool = False
    transparent: bool = False
    opaque: bool = False

    @property
    def rest(self) -> list[Word]:
        return self.words[1:]

    def doubt(self, code: str, **values: object) -> None:
        self.walker.findings.doubt(code, command=self.name, **values)

    def doubt_argument(self, word: Word) -> None:
        self.doubt("argument", word=word.text[:60])

    def acts(self, *classes: str) -> None:
        """It does more than read, in these classes."""
        self.reads_only = False
        self.classes.update(classes)

    def write(self, word: Word, how: str, *, hidden: bool = False) -> None:
        """It writes the file that `word` names."""
        if word.literal and word.text in ("/dev/null", "/dev/stdout", "/dev/stderr", "-"):
            return
        self.reads_only = False
        for use in uses_of(word, self.walker.variables, how, hidden=hidden):
            self.walker.findings.writes[use] = None
        if not word.literal and not word.substitution:
            self.doubt_argument(word)
        elif self._is_system(word.text):
            self.classes.add("@system_write")

    def read(
        self,
        word: Word,
        how: str = "",
        beneath: Beneath = "",
        names: FileNames = EVERY_NAME,
        *,
        tracked: bool = False,
    ) -> None:
        """It may read the file that `word` names; `beneath`: and of a folder what lies beneath, by its `names`;
        `tracked`: of that only what git keeps."""
        if word.text and not word.substitution:
            for use in uses_of(word, self.walker.variables, how or self.name, beneath=beneath):
                own_beneath = "" if tracked else use.own_beneath
                self.walker.findings.reads[replace(use, names=names, own_beneath=own_beneath)] = None

    def host(self, name: str) -> None:
        if name:
            self.walker.findings.hosts[name] = None

    def run(self, words: list[Word], *, stdin: Input | None = None, remote: bool = False) -> None:
        """It runs `words` as a command. `stdin` replaces the input that the command inherits."""
        flow = self.flow.inside(self.name, remote=remote)
        self.walker.judge(words, replace(flow, stdin=stdin) if stdin else flow, self.walker)

    def run_text(
        self, word: Word, *, same_shell: bool = False, remote: bool = False, stdin: Input | None = None
    ) -> None:
        """It has a shell run the text of `word`."""
        if not word.literal:
            self.doubt("runs_file", word=word.text[:60])
            return
        flow = self.flow.inside(self.name, remote=remote)
        self.walker.nested(word.text, replace(flow, stdin=stdin) if stdin else flow, same_shell=same_shell)

    def also_reads(self, name: str) -> None:
        """A rule about `name` means this command too: `unlink x` is `rm x`."""
        self.readings.append(" ".join((name, *(word.quoted for word in self.arguments.operands))))

    def command(self) -> Command:
        """The finished judgement."""
        words = self.words if self.canonical is None else self.canonical
        head = words[0].text
        directory, _, base = head.rpartition("/")
        standard = not directory or directory in STANDARD_DIRECTORIES
        tail = [word.quoted for word in words[1:]]
        plain = " ".join((self.name, *tail))
        text = plain if standard and base == self.name else " ".join((base if standard else head, *tail))
        typed = " ".join(word.quoted for word in self.words)
        classes = set(self.classes) | self.flow.classes
        if self.flow.hides_errors and not (self.reads_only or self.transparent):
            classes.add("@discard")
        if self.reads_only:
            classes.add("@read")
        readings = dict.fromkeys((plain, " ".join((base, *tail)), typed, *self.readings))
        readings.pop(text, None)
        return Command(
            name=base or self.name,
            words=tuple(word.text for word in self.words),
            text=text,
            readings=tuple(readings),
            classes=frozenset(classes),
            literal=all(word.literal for word in self.words),
            reads_only=self.reads_only,
            transparent=self.transparent,
            opaque=self.opaque or not standard,
            remote=self.flow.remote,
            via=self.flow.via,
        )

    @staticmethod
    def _is_system(path: str) -> bool:
        normal = posixpath.normpath(path)
        return normal.startswith(_SYSTEM_TREES) and not normal.startswith(_NOT_SYSTEM)


_SYSTEM_TREES = (
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/boot",
    "/sys",
    "/proc",
    "/dev",
    "/var",
    "/root",
    "/opt",
    "/System",
    "/Library",
)
_NOT_SYSTEM = ("/dev/null", "/dev/shm", "/dev/fd", "/dev/tty", "/var/tmp", "/var/folders", "/root/")  # noqa: S108


def text_word(words: list[Word]) -> Word:
    """Several words joined with blanks, as `eval` and `ssh` do."""
    return (
        known(" ".join(word.text for word in words))
        if all(word.literal for word in words)
        else replace(words[0], text=" ".join(word.text for word in words), literal=False, splits=True)
    )

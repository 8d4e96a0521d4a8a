"""What surrounds a command while it runs: its input, where its errors go, and the wrappers around it."""

from dataclasses import dataclass, replace

from mewcode.governance.file_names import Drawn


@dataclass(frozen=True)
class Input:
    """What stands on standard input: `text` where the line itself spells it, None where it comes from elsewhere.
    `names` are the files that its lines name, where a command before tells."""

    text: str | None = None
    names: Drawn | None = None


@dataclass(frozen=True)
class Flow:
    """`stdin` is None where standard input is closed, as it is for a command line as a whole."""

    stdin: Input | None = None
    hides_errors: bool = False
    classes: frozenset[str] = frozenset()
    """Classes of the redirections around: @redirect, @redirect_outside, @network."""
    via: tuple[str, ...] = ()
    remote: bool = False
    depth: int = 0

    def inside(self, wrapper: str, *, remote: bool = False) -> "Flow":
        return replace(self, via=(*self.via, wrapper), remote=self.remote or remote)

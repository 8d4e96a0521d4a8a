"""Seatbelt: macOS' own sandbox, told by a profile in its small Lisp (sandbox-exec(1))."""

from collections.abc import Sequence
from pathlib import Path

from mewcode.workspace.sandbox.confinement import Confinement

PROGRAM = "/usr/bin/sandbox-exec"


def seatbelt_argv(argv: Sequence[str], confinement: Confinement) -> list[str]:
    """The command line that runs `argv` confined."""
    return [PROGRAM, "-p", seatbelt_profile(confinement), "/usr/bin/env", f"TMPDIR={confinement.temp}", *argv]


def seatbelt_profile(confinement: Confinement) -> str:
    """The last rule that matches decides, so what is narrower stands later."""
    lines = ["(version 1)", "(deny default)", *_BASE]
    readable = () if confinement.everything else (*confinement.read, *confinement.write, confinement.temp)
    lines.append("(allow file-read*)" if confinement.everything else _rule("allow file-read*", readable))
    lines.append("(allow file-read-metadata)")
    lines.append(_rule("allow file-read* file-write*", (*confinement.write, confinement.temp)))
    lines.append(_rule("deny file-write*", confinement.protected))
    lines.append(_rule("deny file-read* file-write*", confinement.hidden))
    lines.append(
        _rule("allow file-read*", tuple(path for path in confinement.read if _is_within(path, confinement.hidden)))
    )
    if confinement.network:
        lines.append("(allow network*)")
        lines.append("(allow system-socket)")
    return "\n".join(line for line in lines if line)


_BASE = (
    "(allow process-exec)",
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow ipc-posix-sem)",
    '(allow file-write* file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
)


def _rule(action: str, paths: Sequence[Path]) -> str:
    if not paths:
        return ""
    places = " ".join(f"(subpath {_quoted(path)})" for path in paths)
    return f"({action} {places})"


def _quoted(path: Path) -> str:
    """A string of the profile's language: a path with a quote in it must not end the string."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _is_within(path: Path, places: Sequence[Path]) -> bool:
    return any(place == path or place in path.parents for place in places)

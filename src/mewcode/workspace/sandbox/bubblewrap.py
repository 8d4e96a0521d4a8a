"""bubblewrap: namespaces, and a file tree put together from mounts (bwrap(1))."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mewcode.workspace.sandbox.confinement import Confinement, exists, is_folder

BASE = (
    "--die-with-parent",
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
)
_SOCKETS = (Path("/run"), Path("/var/run"))
"""A read-only mount does not stop a connection to a socket in it: the container engine's, the session bus."""
_READ_ONLY_PROC = ("--remount-ro", "/proc")
"""Without capabilities root may still write the kernel's settings in /proc/sys."""
_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_RESOLVER = Path("/run/systemd/resolve")


def bubblewrap_argv(program: str, argv: Sequence[str], confinement: Confinement) -> list[str]:
    """The command line that runs `argv` confined. No terminal is handed in, so that none can be typed into."""
    network = [] if confinement.network else ["--unshare-net"]
    chdir = ["--chdir", str(confinement.cwd)]
    return [program, *BASE, *network, *_mounts(confinement), "--setenv", "TMPDIR", "/tmp", *chdir, "--", *argv]  # noqa: S108


def _mounts(confinement: Confinement) -> list[str]:
    """Shallow paths first, so that a deeper one lies on top."""
    lines = [*_shown(confinement), *_replaced(confinement), *_closed(confinement)]
    lines = [line for line in lines if not _is_device(line.path)]
    lines.sort(key=lambda line: (len(line.path.parts), line.rank))
    start = ["--ro-bind", "/", "/"] if confinement.everything else _links()
    hidden = [line.path for line in lines if line.words[0] == "--perms"]
    last = [word for path in hidden for word in ("--remount-ro", str(path))]
    return [
        *start,
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        *(word for line in lines for word in line.words),
        *last,
        *_READ_ONLY_PROC,
    ]


@dataclass(frozen=True)
class _Line:
    """One mount; of two at the same path the one with the higher rank lies on top."""

    path: Path
    rank: int
    words: tuple[str, ...]


def _shown(confinement: Confinement) -> Iterator[_Line]:
    for path in confinement.read:
        yield _Line(path, 0, ("--ro-bind-try", str(path), str(path)))
    for path in confinement.write:
        yield _Line(path, 2, ("--bind-try", str(path), str(path)))
    for path in confinement.protected:
        if exists(path):
            yield _Line(path, 3, ("--ro-bind", str(path), str(path)))
        elif path.name == "hooks" and is_folder(path.parent):
            yield _Line(path, 3, ("--perms", "0555", "--tmpfs", str(path)))
    yield from _held(confinement)


def _held(confinement: Confinement) -> Iterator[_Line]:
    """The folders between a root and what is protected or hidden in it are mounts too: a mount cannot be renamed. A
    folder around one could be moved away and made anew, or be read under its new name by the next command."""
    for path in (*confinement.protected, *confinement.hidden):
        for folder in path.parents:
            if any(place in folder.parents for place in confinement.write) and is_folder(folder):
                yield _Line(folder, 2, ("--bind", str(folder), str(folder)))


def _replaced(confinement: Confinement) -> Iterator[_Line]:
    """The private temporary folder, and nothing where sockets are."""
    for path in _SOCKETS:
        if confinement.everything and is_folder(path) and not path.is_symlink():
            yield _Line(path, 1, ("--tmpfs", str(path)))
    if confinement.network and is_folder(_RESOLVER):
        yield _Line(_RESOLVER, 2, ("--ro-bind", str(_RESOLVER), str(_RESOLVER)))
    for path in (Path("/tmp"), Path("/var/tmp")):  # noqa: S108
        yield _Line(path, 1, ("--bind", str(confinement.temp), str(path)))


def _closed(confinement: Confinement) -> Iterator[_Line]:
    """An empty folder, or an empty file, on top of what is hidden."""
    for path in confinement.hidden:
        if is_folder(path):
            yield _Line(path, 4, ("--perms", "0555", "--tmpfs", str(path)))
        elif exists(path):
            yield _Line(path, 4, ("--ro-bind", "/dev/null", str(path)))


def _links() -> list[str]:
    """`/bin` and its like are links into `/usr` on most systems."""
    links = [path for name in _LINKS if (path := Path(name)).is_symlink()]
    return [word for path in links for word in ("--symlink", str(path.readlink()), str(path))]


def _is_device(path: Path) -> bool:
    return path == Path("/dev") or Path("/dev") in path.parents

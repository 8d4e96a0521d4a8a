"""Confines its own process with Landlock and seccomp, then becomes the command. Runs alone, with the standard library.

`python -I -S launch.py JSON -- COMMAND …`, JSON: {"read": [...], "write": [...], "devices": [...], "network": bool,
"temp": "..."}. Landlock's and seccomp's numbers are those of linux/landlock.h, linux/seccomp.h and linux/filter.h.
"""

import ctypes
import json
import os
import platform
import signal
import stat
import struct
import sys

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVS, _PDEATHSIG, _SET_SECCOMP, _SECCOMP_FILTER = 38, 1, 22, 2
_CAPBSET_DROP, _CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _REFER, _IOCTL_DEV = 1 << 14, 1 << 13, 1 << 15
_READS = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_ACCESS_BY_ABI = (0, (1 << 13) - 1, (1 << 14) - 1, (1 << 15) - 1, (1 << 15) - 1, (1 << 16) - 1)
_ARCHITECTURES = {
    # audit number, socket, socketpair is left alone, io_uring_setup, ptrace, process_vm_writev, keyctl
    "x86_64": (0xC000003E, 41, 425, 101, 311, 250),
    "aarch64": (0xC00000B7, 198, 425, 117, 271, 219),
}
_EACCES, _ENOSYS, _EPERM = 13, 38, 1


def abi() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, _libc().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def can_filter() -> bool:
    """Whether the seccomp filter knows this machine's system calls."""
    return sys.platform.startswith("linux") and platform.machine() in _ARCHITECTURES and sys.maxsize > 2**32


def confine(read: "list[str]", write: "list[str]", devices: "list[str]", network: bool) -> None:
    """No way back for this process and its children. Raises OSError where the kernel refuses."""
    libc = _libc()
    _drop_capabilities(libc)
    _check(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    _landlock(libc, read, write, devices, network)
    _seccomp(libc, network)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Root's capabilities see through Landlock (CAP_PERFMON reads any process's environment). Without the bounding
    set the command starts with none."""
    libc.prctl(_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(64):
        if libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) < 0 and os.geteuid() == 0 and capability < 30:
            _check(-1, "capabilities")


def _landlock(libc: ctypes.CDLL, read: "list[str]", write: "list[str]", devices: "list[str]", network: bool) -> None:
    version = abi()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    handled = _ACCESS_BY_ABI[min(version, 5)]
    tcp = 0 if network or version < 4 else 3
    scoped = 3 if version >= 6 else 0
    attributes = struct.pack("=QQQ", handled, tcp, scoped)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    _check(ruleset, "landlock_create_ruleset")
    for path in read:
        _allow(libc, ruleset, path, _READS & handled)
    for path in write:
        _allow(libc, ruleset, path, handled)
    for path in devices:
        _allow(libc, ruleset, path, (_READ_FILE | _WRITE_FILE | _IOCTL_DEV) & handled)
    _check(libc.syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)), "landlock_restrict_self")
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, access: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        kind = os.fstat(opened).st_mode
        if stat.S_ISLNK(kind):
            return
        if not stat.S_ISDIR(kind):
            access &= _OF_FILES
        rule = struct.pack("=Qi", access, opened)
        _check(libc.syscall(_ADD, ruleset, ctypes.c_int(1), rule, ctypes.c_uint32(0)), path)
    finally:
        os.close(opened)


def _seccomp(libc: ctypes.CDLL, network: bool) -> None:
    """No sockets when the network is off (UNIX sockets too: Landlock does not stop a connection to one that lies in
    the file tree), no io_uring (it opens sockets by itself), no way into other processes."""
    number = _ARCHITECTURES.get(platform.machine())
    if number is None:
        if network:
            return
        raise OSError("no system call filter for this machine")
    architecture, socket, io_uring, ptrace, write_memory, keyctl = number
    refused = {ptrace: _EPERM, write_memory: _EPERM, keyctl: _EPERM}
    if not network:
        refused |= {socket: _EACCES, io_uring: _ENOSYS}
    lines = [(0x20, 0, 0, 4), (0x15, 1, 0, architecture), (0x06, 0, 0, 0x00050000 | _EPERM), (0x20, 0, 0, 0)]
    if architecture == 0xC000003E:
        lines += [(0x35, 0, 1, 0x40000000), (0x06, 0, 0, 0x00050000 | _ENOSYS)]
    for call, error in refused.items():
        lines += [(0x15, 0, 1, call), (0x06, 0, 0, 0x00050000 | error)]
    lines.append((0x06, 0, 0, 0x7FFF0000))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(code)))
    _check(libc.prctl(_SET_SECCOMP, _SECCOMP_FILTER, program, 0, 0), "seccomp")


def _check(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _found(name: str) -> str:
    """The program's path, looked for before confinement: the standard library may be out of reach afterwards."""
    if "/" in name:
        return name
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    paths = (f"{folder}/{name}" for folder in folders if folder)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), name)  # noqa: PTH113


def main() -> None:
    """Exit code 126 where the sandbox cannot be had, 127 where the command is not there: nothing runs unconfined."""
    wanted = json.loads(sys.argv[1])
    command = sys.argv[3:]
    program = _found(command[0])
    parent = os.getppid()
    _libc().prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(126)
    try:
        confine(wanted["read"], wanted["write"], wanted["devices"], wanted["network"])
    except OSError as error:
        sys.stderr.write(f"mewcode: the sandbox cannot be had: {error}\n")
        os._exit(126)
    os.environ["TMPDIR"] = wanted["temp"]
    try:
        os.execv(program, command)  # noqa: S606
    except OSError as error:
        sys.stderr.write(f"mewcode: {command[0]}: {error.strerror}\n")
        os._exit(127)


if __name__ == "__main__":
    main()

"""Each claim of the sandbox, tried for real with every kind that this machine has."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.workspace.sandbox.conftest import Place

from mewcode.errors import WorkspaceError
from mewcode.workspace.access import Access
from mewcode.workspace.sandbox import SandboxStatus, launch, open_sandbox

SECRETS = (
    "~/.ssh/id_ed25519",
    "~/.aws/credentials",
    "~/.netrc",
    "~/.config/google-chrome/Cookies",
    "~/.mewcode/config.yaml",
    "~/.mewcode/audit.db",
)


def test_a_command_writes_in_the_workspace_and_in_its_temporary_folder(place: Place) -> None:
    ended = place.run('echo new > b.txt && mkdir d && mv b.txt d/ && t=$(mktemp) && echo hi > "$t" && cat d/b.txt "$t"')
    assert (ended.returncode, ended.stdout) == (0, "new\nhi\n")
    assert (place.root / "d" / "b.txt").read_text() == "new\n"


@pytest.mark.parametrize(
    "how",
    [
        "echo x > {}/f",
        "touch {}/f",
        "mkdir {}/d",
        "cp a.txt {}/f",
        "ln -s a {}/f",
        "mknod {}/f p",
        "cd {} && echo > f",
        "ln {}/g ./g2; echo x >> g2",
    ],
)
def test_a_command_writes_nowhere_else(place: Place, how: str) -> None:
    (place.outside / "g").write_text("before")
    place.run(how.format(place.outside))
    assert sorted(path.name for path in place.outside.iterdir()) == ["g"]
    assert (place.outside / "g").read_text() == "before"


@pytest.mark.parametrize("how", ["rm -f {}", "echo x > {}", "mv {} .", "truncate -s 0 {}", ": > {}"])
def test_a_command_changes_no_file_outside(place: Place, how: str) -> None:
    target = place.outside / "kept"
    target.write_text("kept")
    place.run(how.format(target))
    assert target.read_text() == "kept"


def test_a_symbolic_link_in_the_workspace_leads_no_writing_outside(place: Place) -> None:
    (place.root / "link").symlink_to(place.outside)
    place.run("echo x > link/f; ln -s ../../outside deep; echo x > deep/f")
    assert list(place.outside.iterdir()) == []


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_not_readable(place: Place, secret: str) -> None:
    ended = place.run(
        f"cat {secret}; cp {secret} ./copy; ln {secret} ./hard; cat copy hard; ln -s {secret} soft; cat soft;"
        f" dd if={secret}"
    )
    assert "SECRET" not in ended.stdout
    copy = place.root / "copy"
    assert not copy.exists() or "SECRET" not in copy.read_text()


def test_a_secret_folder_behind_a_symbolic_link_is_hidden_too(place: Place) -> None:
    real = place.outside / "keys"
    (place.home / ".ssh").rename(real)
    (place.home / ".ssh").symlink_to(real)
    assert "SECRET" not in place.run(f"cat ~/.ssh/id_ed25519; cat {real}/id_ed25519").stdout


def test_the_rest_of_the_home_is_readable_in_workspace_mode(place: Place) -> None:
    assert place.run("cat ~/notes.txt").stdout == "plain notes"


def test_strict_shows_only_the_roots_and_the_system(place: Place) -> None:
    ended = place.run(f"cat ~/notes.txt {place.outside}/x; cat a.txt; ls /usr/bin/env", mode="strict")
    assert "plain notes" not in ended.stdout
    assert "inside" in ended.stdout
    assert "/usr/bin/env" in ended.stdout


def test_a_read_only_root_within_mewcodes_own_folder_is_readable(place: Place) -> None:
    outputs = place.own / "outputs" / "session"
    outputs.mkdir(parents=True)
    (outputs / "1.txt").write_text("long output")
    access = Access((place.root,), (outputs,))
    ended = place.run(f"cat {outputs}/1.txt; echo x > {outputs}/1.txt; cat {place.own}/config.yaml", access=access)
    assert ended.stdout == "long output"
    assert (outputs / "1.txt").read_text() == "long output"


@pytest.mark.parametrize("name", [".git/config", ".mewcode.yaml"])
@pytest.mark.parametrize("how", ["echo x >> {}", "rm -f {}", "cp a.txt {}", "mv a.txt {}"])
def test_protected_files_of_the_workspace_stay_as_they_are(place: Place, name: str, how: str) -> None:
    if not place.status.protects_files:
        pytest.skip(f"{place.status.kind} cannot keep single files of a writable folder")
    before = (place.root / name).read_text()
    place.run(how.format(name))
    assert (place.root / name).read_text() == before


def test_no_hook_can_be_put_into_the_repository(place: Place) -> None:
    if not place.status.protects_files:
        pytest.skip(f"{place.status.kind} cannot keep single files of a writable folder")
    for hooks_are_there in (True, False):
        place.run("echo x > .git/hooks/pre-commit; mv .git .git2; mkdir -p .git/hooks; ln -s /x .git/hooks/y")
        assert list((place.root / ".git" / "hooks").iterdir()) == []
        if hooks_are_there:
            (place.root / ".git" / "hooks").rmdir()


def test_permissions_outside_cannot_be_changed(place: Place) -> None:
    if not place.status.protects_files:
        pytest.skip(f"{place.status.kind} does not judge chmod")
    target = place.outside / "f"
    target.write_text("x")
    target.chmod(0o600)
    place.run(f"chmod 777 {target} ~/.ssh {place.outside}; chown 1:1 {target}")
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A server on the loopback that notes who came."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    seen.append(connection.recv(100))

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], seen
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def test_the_network_is_off_unless_allowed(place: Place, listener: tuple[int, list[bytes]]) -> None:
    port, seen = listener
    line = f"echo {{}} > /dev/tcp/127.0.0.1/{port}"
    assert place.run(line.format("closed")).returncode != 0
    assert place.run(line.format("open"), network=True).returncode == 0
    assert seen in ([b"open\n"], [])  # the bytes may still be under way; `closed` must never come
    assert b"closed\n" not in seen


@pytest.mark.parametrize(
    "family", ["AF_INET, socket.SOCK_DGRAM", "AF_INET6, socket.SOCK_STREAM", "AF_INET, socket.SOCK_RAW, 1"]
)
def test_no_other_kind_of_socket_reaches_out(place: Place, family: str) -> None:
    code = f"import socket; s = socket.socket(socket.{family}); s.connect(('192.0.2.1', 9)); print('REACHED')"
    assert "REACHED" not in place.run(f'/usr/bin/env python3 -c "{code}"').stdout


def test_a_socket_in_the_file_tree_is_out_of_reach(place: Place) -> None:
    """The container engine's socket would be a way around everything."""
    run = Path("/run")
    if not os.access(run, os.W_OK):
        pytest.skip("only root may make a socket in /run")
    path = run / f"mewcode-test-{os.getpid()}.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect('{path}'); print('REACHED')"
        try:
            assert "REACHED" not in place.run(f'python3 -c "{code}"').stdout
        finally:
            path.unlink()


def test_other_processes_are_out_of_reach(place: Place) -> None:
    process = f"/proc/{os.getpid()}"
    ended = place.run(
        f"cat {process}/environ; ls {process}/root/; cat {process}/fd/* {process}/maps;"
        f" kill -0 {os.getpid()} && echo KILLABLE"
    )
    assert ended.stdout == ""


def test_proc_is_no_way_around_the_mounts(place: Place) -> None:
    ended = place.run(
        "cat /proc/self/root/$HOME/.ssh/id_ed25519; cat /proc/1/root/$HOME/.ssh/id_ed25519;"
        " cat /proc/*/root$HOME/.ssh/id_ed25519; echo core > /proc/sys/kernel/core_pattern && echo WROTE"
    )
    assert "SECRET" not in ended.stdout
    assert "WROTE" not in ended.stdout


@pytest.mark.parametrize(
    "how",
    [
        "umount {home}/.ssh; umount -l {home}/.ssh",
        "mount -o remount,rw /; mount --bind {home} /mnt",
        "unshare -Urm bash -c 'umount {home}/.ssh; mount -o remount,rw /usr'",
        "chroot / cat {home}/.ssh/id_ed25519",
        "nsenter -t 1 -m cat {home}/.ssh/id_ed25519",
    ],
)
def test_the_sandbox_cannot_be_taken_down_from_within(place: Place, how: str) -> None:
    ended = place.run(f"{how.format(home=place.home)}; cat {place.home}/.ssh/id_ed25519; echo x > {place.outside}/f")
    assert "SECRET" not in ended.stdout
    assert list(place.outside.iterdir()) == []


def test_a_narrower_scope_is_all_that_a_command_sees(place: Place) -> None:
    billing, other = place.root / "src" / "billing", place.root / "src" / "other"
    for folder in (billing, other):
        folder.mkdir(parents=True)
        (folder / "f.py").write_text(folder.name)
    access = Access((place.root,), (), ("src/billing/**",), ("src/billing/**",))
    ended = place.run(
        f"cat {billing}/f.py {other}/f.py {place.root}/a.txt {place.root}/.git/config;"
        f" echo x > {other}/g; echo x > {billing}/g",
        access=access,
    )
    assert ended.stdout == "billing"
    assert (billing / "g").exists()
    assert not (other / "g").exists()


def test_single_files_can_be_picked_by_pattern(place: Place) -> None:
    (place.root / "b.py").write_text("code")
    ended = place.run(f"cat {place.root}/b.py {place.root}/a.txt", access=Access((place.root,), (), ("*.py",), ()))
    assert ended.stdout == "code"


def test_a_server_is_confined_too_and_reaches_the_network_by_its_entry(
    place: Place, listener: tuple[int, list[bytes]]
) -> None:
    port, _ = listener
    sandbox = place.open()
    line = [
        "bash",
        "-c",
        f"echo > /dev/tcp/127.0.0.1/{port} && echo REACHED; cat ~/.ssh/id_ed25519; echo x > {place.outside}/f",
    ]
    for network in (True, False):
        argv = sandbox.wrap_server(line, place.root, roots=(place.root,), network=network)
        ended = subprocess.run(argv, cwd=place.root, capture_output=True, text=True, check=False, timeout=60)
        assert ended.stdout == ("REACHED\n" if network else "")
    sandbox.close()
    assert list(place.outside.iterdir()) == []


_AS_ANOTHER_USER = """
import json, subprocess, sys
from pathlib import Path
from mewcode.workspace.access import Access
from mewcode.workspace.sandbox import SandboxStatus, launch, open_sandbox

root = Path(sys.argv[1])
sandbox = open_sandbox("workspace", status=SandboxStatus(**json.loads(sys.argv[2])))
line = "echo in > f; echo out > ../g; cat f; cat ~/.ssh/k"
argv = sandbox.wrap(["bash", "-c", line], cwd=root, access=Access((root,)))
print(subprocess.run(argv, cwd=root, capture_output=True, text=True).stdout, end="")
sandbox.close()
"""


def test_it_works_for_an_ordinary_user(place: Place) -> None:
    if os.geteuid() != 0:
        pytest.skip("this run is an ordinary user's already")
    with tempfile.TemporaryDirectory() as base:
        home = Path(base)
        (home / "work").mkdir()
        (home / ".ssh").mkdir()
        (home / ".ssh" / "k").write_text("SECRET")
        for path in (home, home / "work", home / ".ssh", home / ".ssh" / "k"):
            os.chown(path, 65534, 65534)
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        environment = {**os.environ, "HOME": base, "PYTHONPATH": os.pathsep.join(sys.path)}
        probe = "import subprocess, sys, mewcode; subprocess.run([sys.executable, '-c', ''], check=True)"
        pythons = (sys.executable, "/usr/bin/python3")
        usable = [
            python
            for python in pythons
            if subprocess.run(
                [*user, python, "-c", probe], capture_output=True, env=environment, check=False
            ).returncode
            == 0
        ]
        if not usable:
            pytest.skip("the other user cannot run any Python here")
        arguments = [str(home / "work"), json.dumps(asdict(place.status))]
        ended = subprocess.run(
            [*user, usable[0], "-c", _AS_ANOTHER_USER, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=environment,
        )
        assert (ended.stdout, ended.stderr) == ("in\n", "")
        assert not (home / "g").exists()


def test_nothing_runs_where_the_confinement_fails(place: Place) -> None:
    """The launcher is told to confine with a ruleset that the kernel refuses."""
    code = "import runpy, sys; runpy.run_path(sys.argv[1])['_landlock']"
    assert subprocess.run([sys.executable, "-c", code, launch.__file__], check=False).returncode == 0
    broken = (
        "import runpy, sys; found = runpy.run_path(sys.argv.pop(1)); main = found['main'];"
        " main.__globals__['abi'] = lambda: 0; main()"
    )
    wanted = json.dumps({"read": ["/"], "write": ["/"], "devices": [], "network": False, "temp": "/tmp"})
    ended = subprocess.run(
        [sys.executable, "-c", broken, launch.__file__, wanted, "--", "echo", "RAN"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (126, "")


def test_a_demanded_sandbox_that_is_not_there_is_an_error() -> None:
    missing = SandboxStatus("none", "nothing is installed")
    for mode in ("workspace", "strict"):
        with pytest.raises(WorkspaceError, match="nothing is installed"):
            open_sandbox(mode, status=missing)
    fallback = open_sandbox(None, status=missing)
    assert fallback.mode == "off"
    assert "nothing is installed" in (fallback.note or "")


def test_a_sandbox_that_leaves_the_network_open_is_no_answer_to_one_without() -> None:
    leaky = SandboxStatus("landlock", "no filter", network_isolated=False)
    with pytest.raises(WorkspaceError, match="no filter"):
        open_sandbox("strict", status=leaky)
    assert open_sandbox("strict", status=leaky, network=True).mode == "strict"


def test_what_a_scope_closes_is_neither_read_nor_written_nor_moved(place: Place) -> None:
    for name in ("secrets/key", "deep/private.txt"):
        (place.root / name).parent.mkdir(exist_ok=True)
        (place.root / name).write_text("CLOSED")
    access = Access((place.root,), read=("**", "!secrets/**", "!deep/private.txt"), write=("**", "!deep/private.txt"))
    told = place.run("cat secrets/key deep/private.txt; grep -r CLOSED .; ls secrets", access=access)
    assert "CLOSED" not in told.stdout
    place.run("mv deep moved; mv secrets open; echo new > deep/private.txt; rm -rf deep secrets", access=access)
    assert (place.root / "deep" / "private.txt").read_text() == "CLOSED"
    assert (place.root / "secrets" / "key").read_text() == "CLOSED"
    assert place.run("cat moved/private.txt open/key", access=access).stdout == ""
    assert place.run("cat a.txt", access=access).stdout == "inside"
    if place.status.kind != "landlock":  # which gives whole folders only
        assert place.run("echo ok > new.txt && cat new.txt", access=access).stdout == "ok\n"

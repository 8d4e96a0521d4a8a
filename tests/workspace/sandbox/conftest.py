"""A workspace, a home with secrets in it, and each kind of sandbox that this machine has."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mewcode.workspace.access import Access
from mewcode.workspace.sandbox import Mode, Sandbox, SandboxStatus, detect, open_sandbox
from mewcode.workspace.sandbox.detect import landlock_status


def _statuses() -> list[SandboxStatus]:
    kinds = {status.kind: status for status in (detect(), landlock_status())}
    return [status for kind, status in kinds.items() if kind != "none"]


@dataclass
class Place:
    """What a test needs: run a line in the sandbox and see what came of it."""

    root: Path
    home: Path
    outside: Path
    status: SandboxStatus
    own: Path

    def open(self, mode: Mode = "workspace", *, network: bool = False, **more: object) -> Sandbox:
        return open_sandbox(mode, status=self.status, network=network, own=(self.own,), **more)  # type: ignore[arg-type]

    def run(
        self,
        line: str,
        *,
        mode: Mode = "workspace",
        network: bool = False,
        access: Access | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        sandbox = self.open(mode, network=network)
        try:
            argv = sandbox.wrap(
                ["bash", "--noprofile", "--norc", "-c", line],
                cwd=cwd or self.root,
                access=access or Access((self.root,)),
            )
            return subprocess.run(
                argv,
                cwd=cwd or self.root,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
                env={**os.environ, "HOME": str(self.home)},
            )
        finally:
            sandbox.close()


@pytest.fixture(params=_statuses(), ids=lambda status: status.kind)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with tempfile.TemporaryDirectory(dir=_outside_temporary(), prefix=".mewcode-place-") as base:
        yield _furnish(Path(base), request.param, monkeypatch)


def _outside_temporary() -> Path:
    """Not below /tmp, which every sandbox replaces: there nothing could be proved. A clone may well be there."""
    replaced = {Path(one).resolve() for one in ("/tmp", "/var/tmp", tempfile.gettempdir())}
    for place in (Path(__file__).resolve().parent, Path.home().resolve()):
        if not any(place.is_relative_to(folder) for folder in replaced):
            return place
    pytest.skip("the clone and the home are temporary, and sandboxes replace what is")


def _furnish(base: Path, status: SandboxStatus, monkeypatch: pytest.MonkeyPatch) -> Place:
    home, root, outside = base / "home", base / "home" / "work", base / "outside"
    for folder in (
        root / ".git" / "hooks",
        home / ".ssh",
        home / ".aws",
        home / ".config" / "google-chrome",
        home / ".mewcode",
        outside,
    ):
        folder.mkdir(parents=True)
    (home / ".ssh" / "id_ed25519").write_text("SECRET-KEY")
    (home / ".aws" / "credentials").write_text("SECRET-AWS")
    (home / ".netrc").write_text("SECRET-NETRC")
    (home / ".config" / "google-chrome" / "Cookies").write_text("SECRET-COOKIE")
    (home / ".mewcode" / "config.yaml").write_text("SECRET-SETTINGS")
    (home / ".mewcode" / "audit.db").write_text("SECRET-AUDIT")
    (home / "notes.txt").write_text("plain notes")
    (root / "a.txt").write_text("inside")
    (root / ".git" / "config").write_text("[core]\n")
    (root / ".mewcode.yaml").write_text("model: x\n")
    monkeypatch.setenv("HOME", str(home))
    return Place(root, home, outside, status, home / ".mewcode")

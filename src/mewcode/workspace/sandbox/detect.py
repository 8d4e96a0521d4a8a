"""Which sandbox this machine can give: tried, not guessed."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from mewcode.messages import message
from mewcode.workspace.sandbox import launch
from mewcode.workspace.sandbox.bubblewrap import BASE
from mewcode.workspace.sandbox.seatbelt import PROGRAM as SEATBELT

Kind = Literal["bubblewrap", "landlock", "seatbelt", "none"]
_LONGEST_TRIAL = 10.0
"""Seconds; a trial takes about 10 ms."""


@dataclass(frozen=True)
class SandboxStatus:
    """`why` is a sentence for people. `network_isolated`: it can hold processes off the network; `program` is
    bubblewrap's path; `protects_files`: files in a writable folder can be kept read-only."""

    kind: Kind
    why: str
    network_isolated: bool = False
    program: str | None = None
    protects_files: bool = False


@cache
def detect() -> SandboxStatus:
    """Tries bubblewrap, then Landlock, or Seatbelt on macOS. The answer holds for the process's life."""
    if sys.platform == "darwin":
        return _seatbelt()
    if not sys.platform.startswith("linux"):
        return SandboxStatus("none", message("sandbox.no_platform", platform=sys.platform))
    bubblewrap, reason = _bubblewrap()
    return bubblewrap or _landlock(reason)


def _bubblewrap() -> tuple[SandboxStatus | None, str]:
    program = shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin:/run/current-system/sw/bin:/opt/homebrew/bin")
    if program is None:
        return None, message("sandbox.no_bubblewrap")
    reason = _try(
        [program, *BASE, "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "true"]
    )
    if reason:
        return None, message("sandbox.bubblewrap_fails", reason=reason)
    return SandboxStatus("bubblewrap", message("sandbox.bubblewrap", program=program), True, program, True), ""


def _try(argv: list[str]) -> str:
    """Why it does not run; empty where it does."""
    try:
        trial = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LONGEST_TRIAL, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if trial.returncode == 0 else (trial.stderr.strip()[-200:] or f"exit code {trial.returncode}")


def landlock_status(reason: str = "") -> SandboxStatus:
    """What Landlock can do here, whatever else there is."""
    return _landlock(reason)


def _landlock(reason: str) -> SandboxStatus:
    version = launch.abi()
    if version < 1:
        return SandboxStatus("none", message("sandbox.none", reason=reason))
    if not launch.can_filter():
        return SandboxStatus("landlock", message("sandbox.landlock_no_filter", version=version, reason=reason))
    return SandboxStatus("landlock", message("sandbox.landlock", version=version, reason=reason), network_isolated=True)


def _seatbelt() -> SandboxStatus:
    if not Path(SEATBELT).is_file():
        return SandboxStatus("none", message("sandbox.no_seatbelt"))
    return SandboxStatus("seatbelt", message("sandbox.seatbelt"), network_isolated=True, protects_files=True)

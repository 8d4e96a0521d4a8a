"""What is installed, reachable and misconfigured, and how to mend it: the checks behind `doctor`."""

import os
import platform
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import anyio

from mewcode import __version__
from mewcode.app.house import App
from mewcode.app.proposed import how_to_agree, proposed
from mewcode.app.rule_check import mistakes_here
from mewcode.errors import MewCodeError
from mewcode.messages import message
from mewcode.tools import ServerState

SERVER_WAIT = 30.0
"""Seconds that the checks wait for the servers, all together."""
LITTLE_SPACE = 1 << 30
"""Bytes free on the disk of MEWCODE_HOME below which a warning is due."""


class Health(str, Enum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Check:
    """One finding. `remedy` is what to do about it, None where nothing needs doing."""

    subject: str
    health: Health
    finding: str
    remedy: str | None = None


async def check_up(app: App) -> AsyncIterator[Check]:
    """All checks, one after the other, each as soon as it is known."""
    for check in (*_program(app), *_settings(app), *_programs_beside(), _sandbox(app)):
        yield check
    yield await _model(app)
    yield await _audit(app)
    async for check in _servers(app):
        yield check


def _program(app: App) -> Iterator[Check]:
    python = ".".join(map(str, sys.version_info[:3]))
    where = f"{platform.system()} {platform.machine()}"
    yield Check("mewcode", Health.OK, message("doctor.program", version=__version__, python=python, platform=where))
    home = app.paths.home
    probe = home if home.exists() else _nearest_existing(home)
    if not os.access(probe, os.W_OK):
        yield Check("home", Health.PROBLEM, message("doctor.home_closed", home=home), message("doctor.mend_home"))
        return
    free = shutil.disk_usage(probe).free
    health = Health.OK if free > LITTLE_SPACE else Health.WARNING
    yield Check("home", health, message("doctor.home", home=home, free=f"{free / (1 << 30):.1f}"))


def _nearest_existing(path: Path) -> Path:
    return next(parent for parent in (path, *path.parents) if parent.exists())


def _settings(app: App) -> Iterator[Check]:
    files = ", ".join(str(file) for file in app.loaded.files)
    read = message("doctor.settings", files=files) if files else message("doctor.no_settings", file=app.paths.config)
    yield Check("settings", Health.OK, read)
    for problem in app.loaded.problems:
        health = Health.PROBLEM if problem.severity == "error" else Health.WARNING
        yield Check("settings", health, str(problem), message("doctor.mend_settings"))
    for mistake in mistakes_here(app):
        yield Check("rules", Health.PROBLEM, f"{mistake.source}: {mistake.message}", message("doctor.mend_settings"))
    for proposal in app.loaded.untrusted:
        yield Check("trust", Health.WARNING, proposed(proposal), how_to_agree(proposal))


def _programs_beside() -> Iterator[Check]:
    from mewcode.workspace.launching import find_bash
    from mewcode.workspace.ripgrep import find_ripgrep

    for subject, find, remedy in (
        ("ripgrep", find_ripgrep, "doctor.mend_ripgrep"),
        ("bash", find_bash, "doctor.mend_bash"),
        ("git", lambda: shutil.which("git"), "doctor.mend_git"),
    ):
        yield _found(subject, find, remedy)


def _found(subject: str, find: Callable[[], object], remedy: str) -> Check:
    place = find()
    if place is None:
        return Check(subject, Health.WARNING, message("doctor.not_there", name=subject), message(remedy))
    return Check(subject, Health.OK, str(place))


def _sandbox(app: App) -> Check:
    from mewcode.workspace.sandbox import detect

    status = detect()
    mode = app.settings.sandbox.mode or "workspace"
    if mode == "off":
        return Check("sandbox", Health.WARNING, message("doctor.sandbox_off"), message("doctor.mend_sandbox_off"))
    if status.kind == "none":
        return Check("sandbox", Health.WARNING, message("doctor.sandbox_none", why=status.why), status.why)
    return Check("sandbox", Health.OK, message("doctor.sandbox", kind=status.kind, mode=mode))


async def _model(app: App) -> Check:
    try:
        choice = await app.choose_model()
    except MewCodeError as error:
        return Check("model", Health.WARNING, str(error))
    return Check("model", Health.OK, f"{choice.name}: {choice.why}")


async def _audit(app: App) -> Check:
    try:
        await app.audit.event("doctor", principal=app.principal.name, door=app.principal.door.value)
    except MewCodeError as error:
        return Check("audit", Health.PROBLEM, str(error), message("doctor.mend_audit"))
    return Check("audit", Health.OK, app.audit.place)


async def _servers(app: App) -> AsyncIterator[Check]:
    with anyio.move_on_after(SERVER_WAIT):
        await app.servers.wait_all()
    for source in app.registry.sources.values():
        subject, tools = f"mcp {source.name}", len(app.registry.of_server(source.name))
        if source.state is ServerState.READY:
            yield Check(subject, Health.OK, message("doctor.server_ready", tools=tools, era=source.era or "-"))
        elif source.state is ServerState.OFF:
            yield Check(subject, Health.OK, message("doctor.server_off"))
        else:
            why = source.error or source.state.value
            remedy = message("doctor.mend_server", name=source.name)
            yield Check(subject, Health.PROBLEM, f"{source.state.value}: {why}", remedy)

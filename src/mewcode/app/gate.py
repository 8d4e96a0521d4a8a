"""The gate with everything it needs: registry, policy, audit, limits, and what it asks of the rest of the house."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.app.limits import LimitParts
from mewcode.app.options import AppOptions
from mewcode.app.tool_changes import tool_changes_of
from mewcode.config import LoadedSettings, Paths
from mewcode.governance import Gate, GateParts, Mode, PermitPorts, Policy, Sessions
from mewcode.governance.audit import AuditLog
from mewcode.governance.redaction import Redactor
from mewcode.tools import ToolRegistry
from mewcode.workspace.output_files import session_folder

if TYPE_CHECKING:
    from mewcode.governance.stages.resolve import Discovered


def open_audit(loaded: LoadedSettings, paths: Paths, redactor: Redactor) -> AuditLog:
    """The audit of the settings; by default an SQLite file of the user's own."""
    settings = loaded.settings.audit
    url = settings.url or f"sqlite:///{paths.audit}"
    return AuditLog(
        url,
        redact=redactor.redact,
        fsync=settings.fsync,
        retention=settings.retention,
        rotate_at=settings.rotate_at,
        argument_characters=settings.argument_characters,
    )


def build_gate(
    options: AppOptions,
    loaded: LoadedSettings,
    paths: Paths,
    *,
    registry: ToolRegistry,
    policy: Policy,
    audit: AuditLog,
    redactor: Redactor,
    limits: LimitParts,
    discovered: "Discovered",
) -> Gate:
    sessions = options.sessions or Sessions(Mode(options.mode or loaded.settings.mode), repeated_calls(options, loaded))
    sessions.shared = limits.sessions
    ports = PermitPorts(
        roots=lambda call: options.roots(call.principal) if options.roots else (options.workspace,),
        readable=lambda call: (session_folder(Path(paths.outputs), call.session),),
        remember=_remember,
        rules_file=str(paths.config),
        good_for=loaded.settings.confirmations.expire_after,
        changes=tool_changes_of(loaded),
    )
    return Gate(
        GateParts(
            registry=registry,
            policy=policy,
            audit=audit,
            ports=ports,
            discovered=discovered,
            questions=limits.questions,
            sessions=sessions,
            redactor=redactor,
            escalate=loaded.settings.trust.escalate,
            limits=limits.rules,
            window=limits.window,
            slots=limits.slots,
            breaker=limits.breaker,
            deadlines=limits.deadlines,
        )
    )


def repeated_calls(options: AppOptions, loaded: LoadedSettings) -> int:
    """How many times in a row the same call may come before it is asked about."""
    limits = loaded.settings.limits
    wanted = options.loop_guard or "repeated_calls" in limits.model_fields_set
    return limits.repeated_calls if wanted else sys.maxsize


async def _remember(rule: str, file: str) -> None:
    """Writes what somebody answered "always" to."""
    import anyio.to_thread

    from mewcode.config.edit import append_rule

    await anyio.to_thread.run_sync(append_rule, Path(file), rule, "allow")

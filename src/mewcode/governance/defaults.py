"""What happens where no rule speaks: the shipped command sets, then reads run and the rest is asked."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.calls import Access, Decision, Effect, Source
from mewcode.governance.coverage import command_rule
from mewcode.governance.judgement import by_default
from mewcode.governance.modes import Mode
from mewcode.governance.protected import why_protected
from mewcode.governance.request import Request
from mewcode.governance.rules.paths import PathTarget, is_inside, relative_to
from mewcode.governance.rules.rule import Rule, Scope

if TYPE_CHECKING:
    from mewcode.governance.commands import Analysis, Command, Preset, PresetRule

EDITORS = frozenset({"write_file", "edit_file"})


def preset_denies(preset: "Preset", request: Request) -> Decision | None:
    """The shipped set's refusal of what cannot be undone: no allow rule loosens it."""
    for entry, _ in _preset_hits(preset, request):
        if entry.effect == "deny":
            return preset_decision(preset, entry, Effect.DENY)
    return None


def bound_by_preset(preset: "Preset", request: Request) -> Decision | None:
    """The refusal of a set that bounds a role: what it does not allow, no rule allows."""
    for analysis in request.commands:
        if analysis.uncertain:
            return by_default(
                Effect.DENY, f"the set {preset.name} allows no command line that {analysis.uncertain[0]}", Scope.PRESET
            )
        for command in _acting(analysis):
            if not command.reads_only and not _preset_allows(preset, command):
                return _unlisted(preset, command)
    return None


def bound_by_patterns(patterns: Sequence[str], role: str, request: Request) -> Decision | None:
    """The refusal of a role that lists its commands: everything else that acts is refused."""
    from mewcode.governance.commands import allows

    for analysis in request.commands:
        if analysis.uncertain:
            return by_default(Effect.DENY, f"the role {role} lists its commands, and {analysis.uncertain[0]}")
        for command in _acting(analysis):
            if not command.reads_only and not any(allows(pattern, command) for pattern in patterns):
                return by_default(Effect.DENY, f"the role {role} may not run {command.text or 'this command'}")
    return None


def default_decision(
    preset: "Callable[[], Preset]", request: Request, explicit: Sequence[Rule], servers: Sequence[str]
) -> Decision:
    """The decision where no rule of the settings covers the whole call."""
    if request.commands:
        return _for_commands(preset(), request, explicit, servers)
    secret = next((target for target in request.paths if request.secrets_of(target)), None)
    if secret is not None:
        return by_default(Effect.ASK, f"{secret.written} usually holds secrets")
    if request.is_builtin and _only_reads(request) and _all_inside(request.paths, request):
        return by_default(Effect.ALLOW, "it only reads, inside the workspace")
    if request.mode is Mode.ACCEPT_EDITS and request.is_builtin and request.name.original in EDITORS:
        return _accepted_edit(request.paths, request)
    return by_default(Effect.ASK, _why_asked(request))


def preset_decision(preset: "Preset", entry: "PresetRule", effect: Effect) -> Decision:
    source = Source(Scope.PRESET.value, preset.file, entry.line)
    return Decision(effect, f"it {entry.reason}", f"run_command({entry.rule})", source)


def _for_commands(preset: "Preset", request: Request, explicit: Sequence[Rule], servers: Sequence[str]) -> Decision:
    for analysis in request.commands:
        if analysis.starts_mewcode:
            return by_default(Effect.ASK, "it starts MewCode itself, which no rule allows")
        if analysis.uncertain:
            return by_default(Effect.ASK, f"no rule can allow it: {analysis.uncertain[0]}")
    for entry, command in _preset_hits(preset, request):
        if entry.effect == "ask" and command_rule(command, explicit, request, servers) is None:
            return preset_decision(preset, entry, Effect.ASK)
    secret = next((target for target in request.command_reads if request.secrets_of(target)), None)
    if secret is not None:
        return by_default(Effect.ASK, _why_secret(secret, request))
    uncovered = next(
        (command for command in _all_acting(request) if not _covered(preset, command, request, explicit, servers)), None
    )
    if uncovered is not None and preset.default == "deny":
        return _unlisted(preset, uncovered)
    if uncovered is not None:
        return by_default(Effect.ASK, f"no rule speaks about {uncovered.text or 'this command'}")
    outside = next((target for target in request.command_reads if not is_inside(target, request.visible_roots)), None)
    if outside is not None:
        return by_default(Effect.ASK, f"it reads {outside.written}, which is not known to lie in the workspace")
    if not request.command_writes:
        return by_default(Effect.ALLOW, "it only reads, inside the workspace")
    if request.mode is Mode.ACCEPT_EDITS:
        return _accepted_edit(request.command_writes, request)
    return by_default(Effect.ASK, f"it writes {request.command_writes[0].written}")


def _covered(
    preset: "Preset", command: "Command", request: Request, explicit: Sequence[Rule], servers: Sequence[str]
) -> bool:
    return (
        command.reads_only
        or _preset_allows(preset, command)
        or command_rule(command, explicit, request, servers) is not None
    )


def _preset_hits(preset: "Preset", request: Request) -> "Iterator[tuple[PresetRule, Command]]":
    from mewcode.governance.commands import matches

    for analysis in request.commands:
        for command in analysis.commands:
            yield from ((entry, command) for entry in preset if matches(entry.rule, command))


def _preset_allows(preset: "Preset", command: "Command") -> bool:
    from mewcode.governance.commands import allows

    return any(entry.effect == "allow" and allows(entry.rule, command) for entry in preset)


def _unlisted(preset: "Preset", command: "Command") -> Decision:
    named = command.text or "this command"
    reason = f"the set {preset.name} refuses every command that it does not name, {named} among them"
    return Decision(Effect.DENY, reason, None, Source(Scope.PRESET.value, preset.file))


def _acting(analysis: "Analysis") -> "Iterator[Command]":
    return (command for command in analysis.commands if not command.transparent)


def _all_acting(request: Request) -> "Iterator[Command]":
    return (command for analysis in request.commands for command in _acting(analysis))


def _why_secret(target: PathTarget, request: Request) -> str:
    found = request.secrets_of(target)[0]
    if found == target.resolved:
        return f"it reads {target.written}, which usually holds secrets"
    if not target.literal:
        known_later = f"it reads {target.written}, known only as it runs, which may be {Path(found).name}"
        return f"{known_later}, and that usually holds secrets"
    shown = relative_to(found, Path(target.resolved)) or found
    return f"it reads all beneath {target.written}, where {shown} usually holds secrets"


def _only_reads(request: Request) -> bool:
    return request.effects.only_reads and not request.urls


def _all_inside(targets: Sequence[PathTarget], request: Request) -> bool:
    return all(is_inside(target, request.visible_roots) for target in targets)


def _accepted_edit(targets: Sequence[PathTarget], request: Request) -> Decision:
    for target in targets:
        if not is_inside(target, request.roots):
            return by_default(Effect.ASK, f"it writes {target.written}, outside the workspace")
        if why := why_protected(target.resolved):
            return by_default(Effect.ASK, f"{target.written} is protected: {why}")
    return by_default(Effect.ALLOW, "edits inside the workspace are accepted in this mode")


def _why_asked(request: Request) -> str:
    if request.tool.server is not None:
        return f"no rule speaks about {request.name.readable} of the server {request.tool.server}"
    if any(target.access is Access.WRITE for target in request.paths):
        return f"it writes {request.paths[0].written}"
    return f"no rule speaks about {request.tool.name}"

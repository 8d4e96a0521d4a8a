"""The policy of the settings: their rules, roles and modes, and what the command line adds."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mewcode.app.options import AppOptions
from mewcode.calls import Effect, Source
from mewcode.config import LoadedSettings, Paths
from mewcode.config.schema.permissions import RoleEntry
from mewcode.governance import Bounds, Layers, Policy, Role, Roles, Rule, parse_rule
from mewcode.governance.roles import Person, RoleLimits
from mewcode.governance.rules.examples import failing_examples
from mewcode.governance.rules.problem import RuleError

COMMAND_LINE = "command_line"


def build_policy(
    options: AppOptions,
    loaded: LoadedSettings,
    paths: Paths,
    *,
    servers: Callable[[], Iterable[str]],
    hides: Callable[[], bool],
) -> Policy:
    """Raises RuleError for a wrong rule on the command line. A wrong rule in a file makes the file broken, and a broken
    file lets nothing run unasked."""
    settings = loaded.settings
    roles = roles_of(loaded)
    narrow = bool(roles.roles or roles.people)
    rules = [*_rules_of(loaded), *_given(options.allow, Effect.ALLOW), *_given(options.deny, Effect.DENY)]
    return Policy(
        rules=Layers(tuple(rules)),
        bounds=Bounds(roles, _own_files(paths), hides=narrow and hides()),
        confirmed=tuple(_given(options.confirm, Effect.ALLOW)),
        also_confirm=tuple(_given(settings.confirmations.also, Effect.ASK)),
        protected=tuple(settings.confirmations.protected_paths),
        commands=settings.commands.preset,
        nothing_unasked=loaded.broken or any(failing_examples(rule) for rule in rules),
        servers=servers,
        hides=hides,
    )


def roles_of(loaded: LoadedSettings) -> Roles:
    """The roles and principals of the settings."""
    settings = loaded.settings
    return Roles(
        roles={name: _role(name, entry) for name, entry in settings.roles.items()},
        people={
            name: Person(
                tuple(entry.roles),
                None if entry.read is None else tuple(entry.read),
                None if entry.write is None else tuple(entry.write),
            )
            for name, entry in settings.principals.items()
        },
    )


def _role(name: str, entry: RoleEntry) -> Role:
    limits = RoleLimits(entry.limits.per_minute, entry.limits.concurrent)
    commands = tuple(entry.commands) if isinstance(entry.commands, list) else entry.commands
    everywhere = entry.workspaces is None
    return Role(name, tuple(entry.tools), tuple(entry.read), tuple(entry.write), commands, limits, everywhere)


def _rules_of(loaded: LoadedSettings) -> Iterable[Rule]:
    for entry in loaded.settings.permissions:
        place = entry.place
        source = Source(place.scope, place.file, place.line, place.column)
        try:
            yield parse_rule(
                entry.rule,
                Effect(entry.effect),
                source=source,
                reason=entry.reason,
                match=entry.match,
                not_match=entry.not_match,
            )
        except RuleError:
            continue  # the file that holds it is broken, and `config check` names it


def _given(texts: Sequence[str], effect: Effect) -> list[Rule]:
    return [parse_rule(text, effect, source=Source(COMMAND_LINE)) for text in texts]


def _own_files(paths: Paths) -> tuple[Path, ...]:
    return (paths.home, *([paths.managed] if paths.managed else []))

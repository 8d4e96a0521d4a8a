"""The scope that a tool gets along with its call: for tools that look into more than the paths they were given."""

from collections.abc import Iterator

from mewcode.calls import Access, Effect, Scope
from mewcode.governance.bounds import EVERYTHING
from mewcode.governance.policy import Policy
from mewcode.governance.request import Request
from mewcode.governance.roles import Role
from mewcode.governance.rules.arguments import MainArgument
from mewcode.governance.rules.matching import READERS, WRITERS
from mewcode.governance.rules.paths import PathPattern, escaped, relative_to
from mewcode.governance.sensitive import HARMLESS_PATTERNS, SENSITIVE_PATTERNS, names_it


def scope_of(request: Request, policy: Policy, role: Role) -> Scope:
    """What the caller's role and its own entry give, less what rules deny or ask about and what usually holds secrets;
    the paths of an approved call are in."""
    person = policy.bounds.roles.person(request.principal)
    read = intersection(role.read, person.read)
    write = intersection(role.write, person.write)
    return Scope(
        roots=request.roots,
        read_only_roots=request.readable,
        read=(*read, *_secrets(request, policy, read), *_guarded(policy, READERS), *_named(request, None)),
        write=(*write, *_guarded(policy, WRITERS), *_named(request, Access.WRITE)),
    )


def _secrets(request: Request, policy: Policy, read: tuple[str, ...]) -> Iterator[str]:
    """What usually holds secrets, taken out for tools that look around by themselves. Of a command the files that its
    line names are judged; what its program opens (a test that loads .env) belongs to the program."""
    if request.commands:
        return
    yield from SENSITIVE_PATTERNS
    if read == EVERYTHING:
        yield from HARMLESS_PATTERNS
        yield from _opened(request, policy)


def intersection(one: tuple[str, ...], other: tuple[str, ...] | None) -> tuple[str, ...]:
    """Patterns that match no more than both lists do. Where two patterns overlap without one holding the other, what
    they share is left out: a scope may turn out too narrow, never too wide."""
    if other is None or other == EVERYTHING:
        return one
    if one == EVERYTHING:
        return other
    taken = [text for text in (*one, *other) if not text.startswith("!")]
    shared = [
        text
        for text in taken
        if any(_holds(broad, text) for broad in one) and any(_holds(broad, text) for broad in other)
    ]
    out = [text for text in (*one, *other) if text.startswith("!")]
    return (*dict.fromkeys(shared), *out)


def _holds(broad: str, narrow: str) -> bool:
    """Whether everything under `narrow` is surely under `broad`."""
    if broad in ("**", narrow):
        return True
    folder = broad.removeprefix("/").removesuffix("**")
    anchored = broad.endswith("/**") and "*" not in folder and "/" in folder
    return anchored and narrow.removeprefix("/").startswith(folder)


def _guarded(policy: Policy, tools: frozenset[str]) -> Iterator[str]:
    """Paths that a rule denies or asks about, taken out."""
    for rule in policy.rules:
        if rule.effect is Effect.ALLOW or rule.name.text not in tools or not isinstance(rule.arguments, MainArgument):
            continue
        if PathPattern(rule.arguments.text).absolute is None:
            yield f"!{rule.arguments.text}"


def _opened(request: Request, policy: Policy) -> Iterator[str]:
    """Files with secrets that a rule opens by name."""
    for rule in (*policy.rules.allows, *request.granted):
        if rule.name.text in READERS and isinstance(rule.arguments, MainArgument):
            text = rule.arguments.text
            if names_it(rule, text.replace("*", "x")) and not text.startswith(("~", "//", "!")):
                yield text


def _named(request: Request, access: Access | None) -> Iterator[str]:
    """The very files of the call: they have been judged one by one."""
    for target in request.paths:
        if access is not None and target.access is not access:
            continue
        if target.is_folder:
            continue
        for root in request.visible_roots:
            inside = relative_to(target.resolved, root)
            if inside is not None and inside != ".":
                yield "/" + escaped(inside)

"""The narrowest sensible rule that would spare a question."""

from mewcode.calls import Access
from mewcode.governance.request import Request
from mewcode.governance.rules.paths import escaped, is_inside, relative_to

_PROGRAMS = "git npm pnpm yarn cargo go pip uv docker kubectl gh dotnet mvn gradle poetry hatch"
_WITH_SUBCOMMANDS = frozenset(_PROGRAMS.split())


def suggest(request: Request) -> str | None:
    """A rule's text, or None where no rule could allow the call or none would be narrow."""
    if request.commands:
        return _for_command(request)
    if request.paths:
        return _for_path(request)
    return request.name.exact


def _for_command(request: Request) -> str | None:
    if any(
        analysis.uncertain or analysis.starts_mewcode or any(use.hidden for use in analysis.writes)
        for analysis in request.commands
    ):
        return None
    if not all(is_inside(target, request.roots) for target in request.command_writes):
        return None
    if any(
        target.resolved not in request.secrets_of(target)
        for target in request.command_reads
        if request.secrets_of(target)
    ):
        return None  # a rule on the command opens no secret that it does not name
    acting = [
        command
        for analysis in request.commands
        for command in analysis.commands
        if not (command.transparent or command.reads_only)
    ]
    if len(acting) != 1 or acting[0].opaque or not acting[0].literal:
        return None
    words = acting[0].text.split(" ")
    if acting[0].name in _WITH_SUBCOMMANDS and len(words) > 2 and not words[1].startswith("-"):
        return f"{request.tool.name}({_escaped(' '.join(words[:2]))} *)"
    return f"{request.tool.name}({_escaped(acting[0].text)})"


def _for_path(request: Request) -> str | None:
    if not request.is_builtin:
        return request.name.exact
    target = request.paths[0]
    inside = next((name for root in request.roots if (name := relative_to(target.resolved, root)) is not None), None)
    if inside is None or inside == "." or target.access is Access.EXECUTE:
        return None
    return f"{request.tool.name}(/{escaped(inside)})"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("*", "\\*")

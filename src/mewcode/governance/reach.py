"""Whether a principal may have anything to do with a server at all, told before the server's tools are known."""

from mewcode.calls import Principal
from mewcode.governance.policy import Policy
from mewcode.governance.rules.wildcard import Wildcard

_FETCHING = frozenset({"list_resources", "read_resource", "list_prompts", "get_prompt"})
"""Built-ins that reach every server."""


def may_reach(policy: Policy, principal: Principal, server: str) -> bool:
    """Whether some role gives the principal tools of the server, or the fetching of what it has besides tools."""
    patterns = [Wildcard(text) for role in policy.bounds.roles.of(principal) for text in role.tools]
    names = (f"mcp_{server}_", f"mcp:{server}/", *_FETCHING)
    return any(_may_fit(pattern, name) for pattern in patterns for name in names)


def _may_fit(pattern: Wildcard, beginning: str) -> bool:
    """Generous: what is offered is decided tool by tool."""
    prefix = pattern.prefix
    return prefix.startswith(beginning) or beginning.startswith(prefix)

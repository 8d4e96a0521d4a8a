"""The scope that a tool gets along with its call."""

from mewcode.calls import Scope
from mewcode.governance.policy import Policy
from mewcode.governance.request import Request


def scope_of(request: Request, policy: Policy) -> Scope:
    return Scope(roots=request.roots, read_only_roots=request.readable)

"""The gate and what it decides by: rules, command analysis, limits, audit, trust labels, redaction.

Nothing reaches a tool except through `Gate.call`.
"""

from mewcode.governance.audit_in_memory import MemoryAudit
from mewcode.governance.bounds import Bounds
from mewcode.governance.gate import Gate, GateParts
from mewcode.governance.layers import Layers
from mewcode.governance.modes import Mode
from mewcode.governance.policy import Policy
from mewcode.governance.ports import PermitPorts
from mewcode.governance.request import Request
from mewcode.governance.roles import Role, Roles
from mewcode.governance.rules import Rule, parse_rule
from mewcode.governance.sessions import Sessions

__all__ = [
    "Bounds",
    "Gate",
    "GateParts",
    "Layers",
    "MemoryAudit",
    "Mode",
    "PermitPorts",
    "Policy",
    "Request",
    "Role",
    "Roles",
    "Rule",
    "Sessions",
    "parse_rule",
]

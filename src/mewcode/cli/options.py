"""Options that several commands share, with one meaning and one help text."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

JsonOutput: TypeAlias = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
AsPrincipal: TypeAlias = Annotated[str | None, typer.Option("--as", metavar="NAME", help="Act as this principal.")]
Allow: TypeAlias = Annotated[
    list[str] | None, typer.Option("--allow", metavar="RULE", help="Allow what this rule matches; never beats a deny.")
]
Deny: TypeAlias = Annotated[
    list[str] | None, typer.Option("--deny", metavar="RULE", help="Deny what this rule matches.")
]
Confirm: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--confirm", metavar="RULE", help="Confirm the high-risk calls that this rule matches."),
]
McpConfig: TypeAlias = Annotated[
    Path | None, typer.Option("--mcp-config", metavar="FILE", help="A further file of MCP servers.")
]
TrustProject: TypeAlias = Annotated[
    bool, typer.Option("--trust-project", help="Trust the servers and rules of this project for this run.")
]

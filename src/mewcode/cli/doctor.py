"""`mewcode doctor`: what is installed, reachable, misconfigured, and how to mend it."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import anyio
import typer

from mewcode.calls import Door
from mewcode.cli.options import JsonOutput, McpConfig
from mewcode.cli.output import print_json, print_text
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.app.checkup import Check

app = typer.Typer(help="What is installed, reachable, misconfigured, and how to mend it.")

_MARKS = {"ok": "ok ", "warning": "!  ", "problem": "X  "}
_COLOURS = {"ok": typer.colors.GREEN, "warning": typer.colors.YELLOW, "problem": typer.colors.RED}


@app.callback(invoke_without_command=True)
def doctor(as_json: JsonOutput = False, mcp_config: McpConfig = None) -> None:
    """Checks the program, settings, model, sandbox, audit and MCP servers. Exits 0 also without a model or key."""
    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions

    options = AppOptions(door=Door.TOOLS_CALL, workspace=workspace_here(), mcp_config=mcp_config)
    found: list[Check] = []

    async def main() -> None:
        from mewcode.app.checkup import check_up
        from mewcode.app.house import open_app

        async with open_app(options) as house:
            async for check in check_up(house):
                found.append(check)
                if not as_json:
                    _show(check)

    anyio.run(main)
    if as_json:
        print_json([{**asdict(check), "health": check.health.value} for check in found])


def _show(check: "Check") -> None:
    mark = _MARKS[check.health.value]
    if sys.stdout.isatty():
        mark = typer.style(mark, fg=_COLOURS[check.health.value], bold=True)
    print_text(f"{mark} {check.subject}: {check.finding}")
    if check.remedy:
        print_text(message("doctor.remedy", remedy=check.remedy))

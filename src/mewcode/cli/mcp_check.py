"""`mewcode mcp test`: the handshake step by step, and what to do when it fails."""

from typing import TYPE_CHECKING, Annotated

import typer

from mewcode.cli.mcp_settings import definition_named, load
from mewcode.cli.output import print_json, print_text
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.mcp.definition import ServerDefinition
    from mewcode.mcp.examine import Examination, Step


def check_server(
    name: Annotated[str, typer.Argument(help="The server's name in the settings.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Connects to one server and shows each step: era, version, capabilities, tools, times, standard error.

    Exits 1 when it fails, and says the likely cause and the remedy.
    """
    import anyio

    from mewcode.mcp.launch import manager_of
    from mewcode.mcp.trust import Gatekeeper
    from mewcode.tools import ToolRegistry

    loaded, paths = load()
    definition = definition_named(name, loaded)
    refused = Gatekeeper(loaded.settings.mcp_allowed_commands).refusal(definition)
    if refused is not None:
        _refused(definition, refused.text, as_json)
        raise typer.Exit(1)
    around = manager_of(loaded, paths, ToolRegistry(), only=[]).around

    async def run() -> "Examination":
        from mewcode.mcp.examine import examine

        try:
            return await examine(definition, around, _silent if as_json else _tell)
        finally:
            around.watchdog.close()

    result = anyio.run(run)
    _print(definition, result, as_json)
    if result.error:
        raise typer.Exit(1)


def _tell(step: "Step") -> None:
    print_text(f"ok    {step.name:<13}{step.seconds:>6.2f} s  {step.found}")


def _silent(step: "Step") -> None:
    return


def _print(definition: "ServerDefinition", result: "Examination", as_json: bool) -> None:
    if as_json:
        steps = [{"name": step.name, "seconds": round(step.seconds, 3), "found": step.found} for step in result.steps]
        print_json(
            {
                "ok": result.error is None,
                "name": definition.name,
                "transport": definition.transport,
                "steps": steps,
                "stage": result.stage or None,
                "error": result.error,
                "notices": result.notices,
                "stderr": result.stderr,
            }
        )
        return
    if result.error:
        print_text(f"fail  {result.stage:<13}{result.seconds:>6.2f} s  {result.error}")
    for notice in result.notices:
        print_text(f"note  {notice}")
        if "what is no message" in notice:
            print_text(f"      {message('mcp.banner_remedy')}")
    if result.stderr and not result.error:
        print_text(message("mcp.stderr_tail", tail=result.stderr))


def _refused(definition: "ServerDefinition", why: str, as_json: bool) -> None:
    if as_json:
        print_json({"ok": False, "name": definition.name, "steps": [], "stage": "settings", "error": why})
    else:
        print_text(f"fail  settings                 {why}")

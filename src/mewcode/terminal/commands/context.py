"""/context: a bar of what fills the model's window, and how much of it each kind takes."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.commands.listing import print_rows
from mewcode.terminal.status import shortened

if TYPE_CHECKING:
    from mewcode.terminal.session import Session

CELLS = 60
KINDS = {
    "system": ("█", "accent"),
    "tools": ("▓", "plan"),
    "notes": ("▒", "dim"),
    "messages": ("▚", "ok"),
    "answers": ("▞", "accept-edits"),
    "calls": ("▪", "warn"),
    "results": ("░", "warn"),
}
"""Each kind's sign and colour; the sign alone has to do where there is no colour."""


async def show_context(session: "Session", arguments: str) -> None:
    agent, screen = session.agent, session.screen
    if agent is None:
        screen.print(message("terminal.still_opening"), "dim")
        return
    shares = {kind: tokens for kind, tokens in asdict(await agent.context_shares()).items() if tokens}
    window, used = agent.model.context_window, max(session.status.context, sum(shares.values()))
    cells = bar_cells(shares, window, min(CELLS, screen.width - 6))
    bar = "".join(screen.ink.paint(KINDS[kind][0] * count, KINDS[kind][1]) for kind, count in cells.items())
    rest = min(CELLS, screen.width - 6) - sum(cells.values())
    share = used * 100 // window if window else 0
    screen.print(f"\n  {bar}{screen.ink.paint('·' * rest, 'dim')}")
    screen.print(f"  {share}%  {shortened(used)} / {shortened(window)}")
    rows = [
        (f"{KINDS[kind][0]} {message(f'terminal.fills_{kind}')}", f"~{shortened(tokens)}")
        for kind, tokens in shares.items()
    ]
    free = max(0, window - used)
    print_rows(session, [*rows, (f"· {message('terminal.fills_free')}", shortened(free))], (None, "dim"))
    screen.print(message("terminal.context_hint"), "dim")


def bar_cells(shares: dict[str, int], window: int, width: int) -> dict[str, int]:
    """How many of `width` cells each kind gets: what is there at all has one, and all together never too many."""
    if not window:
        return {}
    cells = {kind: max(1, min(width, tokens * width // window)) for kind, tokens in shares.items()}
    while sum(cells.values()) > width:
        largest = max(cells, key=lambda kind: cells[kind])
        cells[largest] -= 1
    return cells

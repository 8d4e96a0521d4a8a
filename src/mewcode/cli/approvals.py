"""`mewcode approvals list|grant|deny`: what clients of `mewcode serve` wait for, decided by another person."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from mewcode.cli.mcp_settings import load, refuse_in_session
from mewcode.cli.options import AsPrincipal, JsonOutput
from mewcode.cli.output import note, print_json, print_rows
from mewcode.errors import MewCodeError
from mewcode.messages import message, reason_shown

if TYPE_CHECKING:
    from mewcode.config import LoadedSettings, Paths
    from mewcode.server.approvals import Approval, ApprovalBook

app = typer.Typer(no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="The approval's id, as `approvals list` shows it.")]


@app.callback()
def outside() -> None:
    """Decide about calls of served clients that wait for an approval."""
    refuse_in_session("approvals")


@app.command("list")
def list_approvals(as_json: JsonOutput = False) -> None:
    """Those that wait, oldest first."""
    loaded, paths = load()
    waiting = anyio.run(_pending, loaded, paths)
    if as_json:
        print_json([_row(one) for one in waiting])
        return
    print_rows(("Id", "Who", "What", "Because", "Until"), [_cells(one) for one in waiting])


@app.command("grant")
def grant(approval: Id, who: AsPrincipal = None) -> None:
    """Let the call through, once."""
    decided = _decide(approval, who, allow=True, comment=None)
    note(message("serve.approved", action=decided.action))


@app.command("deny")
def deny(
    approval: Id,
    comment: Annotated[str | None, typer.Option("--comment", help="Told to the model that asked.")] = None,
    who: AsPrincipal = None,
) -> None:
    """Refuse the call."""
    decided = _decide(approval, who, allow=False, comment=comment)
    note(message("serve.denied", action=decided.action))


def _decide(approval: str, who: str | None, *, allow: bool, comment: str | None) -> "Approval":
    loaded, paths = load()
    return anyio.run(_decided, loaded, paths, approval, who, allow, comment)


async def _pending(loaded: "LoadedSettings", paths: "Paths") -> "list[Approval]":
    return await _book(loaded, paths).pending()


async def _decided(
    loaded: "LoadedSettings", paths: "Paths", approval_id: str, who: str | None, allow: bool, comment: str | None
) -> "Approval":
    """Recorded before it counts: a decision that is not on record is none. One that came to nothing is recorded too."""
    from mewcode.app.gate import open_audit
    from mewcode.app.loading import workspace_here
    from mewcode.app.options import AppOptions
    from mewcode.app.principals import local_user
    from mewcode.calls import Door
    from mewcode.governance.redaction import Redactor
    from mewcode.server.approvals import Approval, may_approve

    name = who or local_user(AppOptions(Door.TERMINAL, workspace_here()))
    book = _book(loaded, paths)

    def may(approval: Approval) -> None:
        may_approve(loaded, name, approval)

    audit = open_audit(loaded, paths, Redactor([]))
    try:
        found = await book.find(approval_id)
        details = {"approval": approval_id, "grant": allow, "asked_by": found.principal if found else None}
        await audit.event("approval", principal=name, door="console", details=details)
        try:
            return await book.decide(approval_id, grant=allow, by=name, comment=comment, may=may)
        except MewCodeError as error:
            failed = {**details, "why": error.code}
            await audit.event("approval_failed", principal=name, door="console", details=failed)
            raise
    finally:
        await audit.close()


def _book(loaded: "LoadedSettings", paths: "Paths") -> "ApprovalBook":
    from mewcode.server.approvals import ApprovalBook, approvals_store

    return ApprovalBook(approvals_store(loaded, paths))


def _cells(one: "Approval") -> tuple[str, ...]:
    because = "; ".join(map(reason_shown, one.reasons))
    return (one.id, one.principal, one.action, because, _clock(one.expires_at))


def _row(one: "Approval") -> dict[str, object]:
    return {
        "id": one.id,
        "kind": one.kind,
        "principal": one.principal,
        "door": one.door,
        "tool": one.tool,
        "server": one.server,
        "action": one.action,
        "details": one.details,
        "reasons": list(one.reasons),
        "asked_at": one.asked_at,
        "expires_at": one.expires_at,
    }


def _clock(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M")

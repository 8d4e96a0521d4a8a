"""`mewcode audit`: list, show, stats, verify and export the record of every call."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mewcode.cli.audit_filters import filtered
from mewcode.cli.output import note, print_json, print_rows, print_text
from mewcode.errors import UsageError
from mewcode.messages import message

if TYPE_CHECKING:
    from mewcode.governance.audit.query import AuditFilter
    from mewcode.governance.audit.reader import AuditReader

app = typer.Typer(help="The record of every call: list, show, stats, verify, export.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
@filtered()
def list_calls(
    wanted: "AuditFilter",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many.")] = 50,
    json: Json = False,
) -> None:
    """Calls, the newest first. `unknown` is a call that began and has no end."""
    calls = _reader().list(wanted, limit)
    if json:
        print_json(calls)
        return
    columns = ("SEQ", "TIME", "WHO", "DOOR", "TOOL", "DECISION", "OUTCOME", "MS", "ARGUMENTS")
    print_rows(columns, [_row(call) for call in calls])


@app.command()
def show(key: Annotated[str, typer.Argument(help="The number of a call, or its call id.")], json: Json = False) -> None:
    """Everything that is known of one call, and its records as they are stored."""
    call = _reader().show(key)
    if call is None:
        raise UsageError("audit.no_such_call", key=key)
    if json:
        print_json(call)
        return
    from mewcode.governance.audit.describing import describe

    print_text("\n".join(describe(call)))


@app.command()
@filtered(without=("text", "events"))
def stats(wanted: "AuditFilter", json: Json = False) -> None:
    """Counts, latencies, refusals, and when the calls were."""
    from dataclasses import asdict

    from mewcode.governance.audit.describing import describe_stats
    from mewcode.governance.audit.stats import stats as count

    found = count(_reader(), wanted)
    if json:
        print_json({**asdict(found), "sparkline": found.sparkline})
        return
    print_text("\n".join(describe_stats(found)))
    columns = ("TOOL", "CALLS", "REFUSED", "FAILED", "P50 MS", "P95 MS", "SLOWEST MS")
    print_rows(columns, [(t.tool, t.calls, t.refused, t.failed, t.p50, t.p95, t.slowest) for t in found.tools])


@app.command()
def verify(
    anchor: Annotated[Path | None, typer.Option("--anchor", help="Heads that an earlier run saved.")] = None,
    save: Annotated[Path | None, typer.Option("--save-anchor", help="Save the heads here, for keeping apart.")] = None,
    json: Json = False,
) -> None:
    """Checks that no record was changed, moved or taken away; exits 1 and names the first that was."""
    from mewcode.governance.audit.anchors import read_anchors, write_anchors
    from mewcode.governance.audit.verify import verify as walk

    verdict = walk(_reader(), read_anchors(anchor) if anchor else ())
    broken = verdict.broken
    if json:
        print_json(
            {
                "ok": broken is None,
                "records": verdict.records,
                "chains": len(verdict.heads),
                "broken": broken and broken.to_json(),
                "heads": [head.to_json() for head in verdict.heads],
            }
        )
    elif broken is None:
        print_text(message("audit.verified", records=verdict.records, chains=len(verdict.heads)))
    else:
        print_text(broken.sentence())
    if broken is not None:
        raise typer.Exit(1)
    if save is not None:
        write_anchors(save, verdict.heads)
        note(message("audit.anchor_saved", file=save))


@app.command()
@filtered(events=True)
def export(
    wanted: "AuditFilter",
    form: Annotated[str, typer.Option("--format", "-f", help="jsonl, csv or cef.")] = "jsonl",
    file: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """All that fits, the oldest first: JSON lines, CSV, or CEF for a SIEM."""
    from mewcode.governance.audit.export import FORMATS

    if form not in FORMATS:
        raise UsageError("audit.export_format", value=form, formats=", ".join(FORMATS))
    lines = FORMATS[form](_reader().stream(wanted))
    if file is None:
        for line in lines:
            print_text(line)
        return
    try:
        with file.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise UsageError("audit.not_exported", file=file, why=error.strerror) from error


def _reader() -> "AuditReader":
    from mewcode.config import Paths, TrustStore, load_settings
    from mewcode.governance.audit.address import audit_url
    from mewcode.governance.audit.reader import AuditReader

    paths = Paths.from_environment()
    loaded = load_settings(paths=paths, workspace=Path.cwd(), is_trusted=TrustStore(paths.trust).is_trusted)
    return AuditReader(audit_url(loaded.settings.audit.url, paths.audit))


def _row(call: dict[str, Any]) -> tuple[object, ...]:
    from mewcode.governance.audit.describing import short

    what = call["arguments"] if call["kind"] == "call" else call["details"]
    tool = f"{call['server']}/{call['tool']}" if call["server"] else call["tool"] or call["name"]
    decided = (call["effect"], call["outcome"], call["duration_ms"])
    return (call["seq"], call["time"], call["principal"], call["door"], tool, *decided, short(what, 80))

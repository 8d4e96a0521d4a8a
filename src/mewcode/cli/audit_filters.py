"""What `audit list`, `stats` and `export` can be narrowed by: the same options, said once."""

import inspect
import time
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mewcode.errors import UsageError

if TYPE_CHECKING:
    from mewcode.governance.audit.query import AuditFilter

_OPTIONS: dict[str, Any] = {
    "who": Annotated[str | None, typer.Option("--who", help="Only calls of this principal.")],
    "tool": Annotated[str | None, typer.Option("--tool", help="Only this tool; may have * and ?.")],
    "server": Annotated[str | None, typer.Option("--server", help="Only tools of this server; may have * and ?.")],
    "decision": Annotated[str | None, typer.Option("--decision", help="allow, ask or deny.")],
    "outcome": Annotated[
        str | None, typer.Option("--outcome", help="ok, tool_error, refused, timeout, cancelled, failed or unknown.")
    ],
    "session": Annotated[str | None, typer.Option("--session", help="Only calls of this session.")],
    "since": Annotated[str | None, typer.Option("--since", help="Not before: 30m, 2h, 7d ago, or a date and time.")],
    "until": Annotated[str | None, typer.Option("--until", help="Before: as --since.")],
    "text": Annotated[str | None, typer.Option("--text", help="Only calls whose record holds all these words.")],
    "events": Annotated[bool, typer.Option("--events", help="Also log-ins, trust grants, approvals, reloads.")],
}


def filtered(*, without: tuple[str, ...] = (), events: bool = False) -> Callable[[Callable[..., None]], Any]:
    """Gives a command the options, and passes what they say as its parameter `wanted`. `events` is that option's
    default."""
    options = {name: kind for name, kind in _OPTIONS.items() if name not in without}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_filter(**given: Any) -> None:
            chosen = {name: given.pop(name) for name in options}
            command(wanted=_filter(**chosen), **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        own = [p for name, p in inspect.signature(command).parameters.items() if name != "wanted"]
        added = [
            inspect.Parameter(name, keyword, default=events if name == "events" else None, annotation=kind)
            for name, kind in options.items()
        ]
        parameters = [*added, *(parameter.replace(kind=keyword) for parameter in own)]
        with_filter.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        with_filter.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return with_filter

    return decorate


def _filter(
    *,
    who: str | None = None,
    tool: str | None = None,
    server: str | None = None,
    decision: str | None = None,
    outcome: str | None = None,
    session: str | None = None,
    since: str | None = None,
    until: str | None = None,
    text: str | None = None,
    events: bool = False,
) -> "AuditFilter":
    from mewcode.governance.audit.port import Outcome
    from mewcode.governance.audit.query import AuditFilter

    return AuditFilter(
        principal=who,
        tool=tool,
        server=server,
        effect=_one_of(decision, "decision", ("allow", "ask", "deny")),
        outcome=_one_of(outcome, "outcome", tuple(known.value for known in Outcome)),
        session=session,
        since=_moment(since),
        until=_moment(until),
        text=text,
        events=events,
    )


def _one_of(value: str | None, option: str, known: tuple[str, ...]) -> str | None:
    if value is None or value in known:
        return value
    raise UsageError("audit.no_such_value", option=option, value=value, known=", ".join(known))


def _moment(text: str | None) -> float | None:
    from mewcode.governance.audit.times import moment

    if text is None:
        return None
    try:
        return moment(text, time.time())
    except (ValueError, OverflowError) as error:
        raise UsageError("audit.bad_time", value=text) from error

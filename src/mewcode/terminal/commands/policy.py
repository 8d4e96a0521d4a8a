"""/permissions, /audit, /config, /doctor: what is allowed, what was done, what is set, what is wrong."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mewcode.messages import message
from mewcode.terminal.call_lines import title_of
from mewcode.terminal.cleaning import bare
from mewcode.terminal.commands.listing import print_rows
from mewcode.terminal.places import at_home, place_of
from mewcode.terminal.slash import Command
from mewcode.terminal.width import hang, pad

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.config import Place
    from mewcode.terminal.session import Session

AUDIT_ROWS = 20
SUBJECT_CELLS = 9
OUTCOMES = {"ok": "ok", "refused": "warn", "cancelled": "warn", "": "bad"}
"""Colours of the outcomes; every other one is a failure."""


async def show_permissions(session: "Session", arguments: str) -> None:
    """The rules in force and where they come from; `/permissions allow|ask|deny RULE` adds one to the user's file."""
    app = session.household.app
    if app is None:
        return
    effect, _, rule = arguments.partition(" ")
    if effect in ("allow", "ask", "deny") and rule.strip():
        await _add_rule(session, app, effect, rule.strip())
        return
    rules = list(app.policy.rules)
    if session.agent is not None:
        rules += app.gate.sessions.of(session.agent.session.id).granted
    if not rules:
        session.screen.print(message("terminal.no_rules"))
    rows = [(rule.effect.value, rule.text, place_of(rule.source, app.workspace)) for rule in rules]
    print_rows(session, rows, ("accent", "bold", "dim"))
    preset = app.settings.commands.preset
    session.screen.print(message("terminal.permissions_note", mode=session.status.mode, preset=preset), "dim")


async def _add_rule(session: "Session", app: "App", effect: str, rule: str) -> None:
    from mewcode.calls import Effect
    from mewcode.config.edit import append_rule
    from mewcode.governance import parse_rule

    parse_rule(rule, Effect(effect))  # raises an error of ours, with what is wrong
    await asyncio.to_thread(append_rule, app.paths.config, rule, effect)
    session.screen.print(message("terminal.rule_added", rule=rule, effect=effect, file=app.paths.config), "dim")
    session.restart_when_idle()


async def show_audit(session: "Session", arguments: str) -> None:
    """The newest calls of this session; with words, of all sessions."""
    app, agent = session.household.app, session.agent
    if app is None or agent is None:
        return

    def read() -> list[dict[str, object]]:
        from mewcode.governance.audit.address import audit_url
        from mewcode.governance.audit.query import AuditFilter
        from mewcode.governance.audit.reader import AuditReader

        reader = AuditReader(audit_url(app.settings.audit.url, app.paths.audit))
        wanted = AuditFilter(text=arguments) if arguments else AuditFilter(session=agent.session.id)
        return reader.list(wanted, AUDIT_ROWS)

    rows = [
        (str(one["seq"]), str(one["time"])[11:19], str(one["outcome"]), str(one["effect"]), _call(one))
        for one in reversed(await asyncio.to_thread(read))
    ]
    print_rows(session, rows, ("dim", "dim", OUTCOMES, None, None))
    session.screen.print(message("terminal.audit_note", place=app.audit.place), "dim")


def _call(row: dict[str, object]) -> str:
    arguments = row["arguments"]
    known = cast("dict[str, object]", arguments) if isinstance(arguments, dict) else {}
    return title_of(str(row["name"]), None, known)


async def show_config(session: "Session", arguments: str) -> None:
    app = session.household.app
    if app is None:
        return
    from mewcode.config.listing import rows_of

    rows = await asyncio.to_thread(rows_of, app.loaded)
    shown = [row for row in rows if row.key.startswith(arguments) and (arguments or row.place.scope != "default")]
    rows_shown = [(row.key, str(row.problem or row.value), _written_at(row.place)) for row in shown]
    print_rows(session, rows_shown, ("accent", None, "dim"), keep_end=True)
    session.screen.print(message("terminal.config_note", file=at_home(app.paths.config)), "dim")


def _written_at(place: "Place") -> str:
    """File and line."""
    return str(place) if place.file is None else f"{at_home(Path(place.file))}:{place.line}"


async def run_doctor(session: "Session", arguments: str) -> None:
    app = session.household.app
    if app is None:
        return
    from mewcode.app.checkup import Health, check_up

    marks = {Health.OK: ("✓", "ok"), Health.WARNING: ("!", "warn"), Health.PROBLEM: ("✗", "bad")}
    async for check in check_up(app):
        mark, meaning = marks[check.health]
        ink = session.screen.ink
        subject = pad(check.subject, SUBJECT_CELLS)
        first, *more = hang(bare(check.finding), " " * (SUBJECT_CELLS + 4), session.screen.width).split("\n")
        session.screen.print(f"{ink.paint(mark, meaning)} {ink.paint(subject, 'bold')}  {first.strip()}")
        for line in (
            *more,
            *(hang(bare(check.remedy), "    ", session.screen.width).split("\n") if check.remedy else ()),
        ):
            session.screen.print(ink.paint(line, "dim"))


async def change_theme(session: "Session", arguments: str) -> None:
    from mewcode.terminal.choosing import Option, choose
    from mewcode.terminal.ink import choose_ink

    themes = ("auto", "light", "dark", "plain")
    app = session.household.app
    now = app.settings.ui.theme if app else session.start.hints.theme
    options = [Option(one, one, message(f"terminal.theme_{one}")) for one in themes]
    name = arguments or await choose(session.screen, message("terminal.choose_theme"), options, current=now)
    if name is None:
        return
    if name not in themes:
        session.screen.print(message("terminal.no_theme", name=name, known=", ".join(themes)), "bad")
        return
    session.screen.restyle(choose_ink(name))
    if app is not None:
        from mewcode.config.edit import set_value

        await asyncio.to_thread(set_value, app.paths.config, ("ui", "theme"), name)
        session.screen.print(message("terminal.theme_set", name=name, file=app.paths.config), "dim")


POLICY = (
    Command("permissions", "terminal.about_permissions", show_permissions, "[EFFECT RULE]"),
    Command("audit", "terminal.about_audit", show_audit, "[WORDS]"),
    Command("config", "terminal.about_config", show_config, "[KEY]"),
    Command("theme", "terminal.about_theme", change_theme, "[NAME]"),
    Command("doctor", "terminal.about_doctor", run_doctor),
)

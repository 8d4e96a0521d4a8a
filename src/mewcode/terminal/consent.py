"""What a project proposes (servers, allow rules): shown whole, and trusted only by a key of the person's."""

import asyncio
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.messages import message
from mewcode.terminal.choosing import Option, choose
from mewcode.terminal.commands.listing import print_pairs

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.config.proposals import Untrusted
    from mewcode.terminal.session import Session

_NOT_NOW, _YES, _NEVER = "later", "yes", "never"


async def ask_for_consents(session: "Session", app: "App") -> None:
    """At the start: each proposal that was not turned down for good, one after the other."""
    declined = await asyncio.to_thread(Declined(app.paths.home).fingerprints)
    wanted = False  # the first comes by itself; who has answered it is there for the next
    for proposal in app.loaded.untrusted:
        if proposal.fingerprint in declined:
            continue
        if not await ask_for_consent(session, app, proposal, wanted=wanted):
            return
        wanted = True


async def ask_for_consent(session: "Session", app: "App", proposal: "Untrusted", *, wanted: bool = True) -> bool:
    """Shows everything that the consent covers and asks. False when the person wants to hear no more of it now."""
    server = proposal.kind == "server"
    head = "terminal.consent_server" if server else "terminal.consent_rules"
    session.screen.print("\n" + message(head, name=proposal.name), "warn")
    print_pairs(session, consent_of(proposal))
    answer = await choose(
        session.screen,
        message("terminal.trust_question" if server else "terminal.trust_rules_question", name=proposal.name),
        [
            Option(_NOT_NOW, message("terminal.trust_later")),
            Option(_YES, message("terminal.trust_yes")),
            Option(_NEVER, message("terminal.trust_never")),
        ],
        wanted=wanted,
    )
    if answer == _YES:
        await _trust(session, app, proposal)
    elif answer == _NEVER:
        await asyncio.to_thread(Declined(app.paths.home).add, proposal.fingerprint)
    else:
        code = "terminal.untrusted" if server else "terminal.untrusted_rules"
        session.screen.print(message(code, name=proposal.name), "dim")
    return answer is not None


async def _trust(session: "Session", app: "App", proposal: "Untrusted") -> None:
    from mewcode.config import TrustStore

    store = TrustStore(app.paths.trust)
    await asyncio.to_thread(
        lambda: store.grant(proposal.kind, proposal.fingerprint, name=proposal.name, workspace=app.loaded.workspace)
    )
    if proposal.kind == "server":
        await app.start_trusted(proposal.name)
        session.screen.print(message("terminal.trusted", name=proposal.name), "ok")
    else:
        session.screen.print(message("terminal.trusted_rules"), "ok")
        session.restart_when_idle()


def consent_of(proposal: "Untrusted") -> list[tuple[str, str]]:
    """What it is and all that it would touch. A command is quoted, so that its words can be told apart."""
    rows = [
        (message("terminal.word_defined"), str(proposal.place)),
        (message("terminal.word_runs"), shlex.join(proposal.command)),
        (message("terminal.word_cwd"), proposal.cwd or ""),
        ("url", proposal.url or ""),
        (message("terminal.word_sets"), ", ".join(proposal.env)),
        (message("terminal.word_headers"), ", ".join(proposal.headers)),
        *((message("terminal.word_allows"), rule) for rule in proposal.rules),
        (message("terminal.word_wants"), ", ".join([*(f"${name}" for name in proposal.variables), *proposal.files])),
    ]
    return [row for row in rows if row[1]]


class Declined:
    """Fingerprints of what is not to be asked about again, in a file of MEWCODE_HOME. It grants nothing."""

    def __init__(self, home: Path) -> None:
        self._path = home / "declined.json"

    def fingerprints(self) -> Sequence[str]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ()
        return [str(one) for one in found] if isinstance(found, list) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    def add(self, fingerprint: str) -> None:
        from mewcode.config.atomic_write import write_atomically

        kept = dict.fromkeys([*self.fingerprints(), fingerprint])
        write_atomically(self._path, json.dumps(list(kept), indent=2) + "\n", mode=0o600)

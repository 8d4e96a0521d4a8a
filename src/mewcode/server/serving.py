"""`mewcode serve` from its options to its end."""

import secrets
import sys

import anyio
import anyio.to_thread
from mcp.server.request_state import RequestStateSecurity

from mewcode.app.house import App
from mewcode.app.loading import load_for
from mewcode.app.principals import local_user
from mewcode.config import LoadedSettings, Paths
from mewcode.errors import UsageError
from mewcode.messages import message
from mewcode.server.approvals import ApprovalBook, approvals_store
from mewcode.server.asking import Elicitation, InputRequired, PendingApproval
from mewcode.server.background import background
from mewcode.server.callers import Callers
from mewcode.server.calls import ToolCalls
from mewcode.server.changes import Changes
from mewcode.server.fetching import Fetching
from mewcode.server.front import Front
from mewcode.server.gateway.prompts import Prompts
from mewcode.server.gateway.relay import Relay
from mewcode.server.gateway.resources import Resources
from mewcode.server.gateway.suspensions import AFTERWARDS, Suspensions
from mewcode.server.house_options import app_options_of, plain_options
from mewcode.server.houses import Houses
from mewcode.server.http.door import open_door
from mewcode.server.http.listener import bind
from mewcode.server.measuring import Measuring
from mewcode.server.offers import Offers
from mewcode.server.options import ServeOptions
from mewcode.server.reloading import Reloading
from mewcode.server.sessions import LiveSessions
from mewcode.server.stdio import serve_stdio
from mewcode.server.watching import Watching
from mewcode.state import Metrics, open_tracing

ROLE_VARIABLE = "MEWCODE_ROLE"
SHORTEST_KEY = 32
"""Characters (of the setting) or bytes of a key that signs."""


async def serve(options: ServeOptions) -> None:
    """Serves until the client leaves (stdio) or the process is told to end (HTTP).

    Raises UsageError and SettingsError (exit 2) for what cannot be served.
    """
    plain = plain_options(options)
    loaded = load_for(plain, Paths.from_environment(plain.environ))
    settings = loaded.settings.server
    role = options.role or settings.role or plain.environ.get(ROLE_VARIABLE)
    if role is not None and role not in loaded.settings.roles:
        raise UsageError("serve.unknown_role", role=role, known=", ".join(loaded.settings.roles) or "-")
    callers = Callers.of(plain.door, local_user(plain), role)
    sockets = [] if options.http is None else [bind(options.http)]
    relay = Relay()
    try:
        async with anyio.create_task_group() as tasks:
            houses = Houses(lambda before: app_options_of(options, relay, before), settings.drain, tasks)
            changes = Changes()
            relay.lists_changed_for = changes.lists_changed
            resources = Resources(options.workspaces)
            watching = Watching(resources, relay)

            def move_to(app: App) -> None:
                changes.follow(app)
                watching.move_to(app)

            houses.changed = move_to
            app = await houses.open()
            book = ApprovalBook(approvals_store(loaded, app.paths), settings.approvals_expire_after)
            telemetry = loaded.settings.telemetry
            measuring = Measuring(Metrics() if telemetry.metrics and options.http is not None else None)
            tracing = open_tracing(telemetry.traces, headers=telemetry.headers, service_name=telemetry.service_name)
            suspensions = Suspensions(loaded.settings.confirmations.expire_after)
            calls = ToolCalls(relay, measuring, suspensions, (Elicitation(), InputRequired(), PendingApproval(book)))
            offers = Offers(options)
            sessions = LiveSessions(lambda: houses.apps, calls.ended, settings.session_idle)
            front = Front(
                houses,
                callers,
                offers,
                calls,
                Fetching(calls, resources, Prompts(offers.naming)),
                changes,
                watching,
                sessions,
                seal_of(loaded, callers),
                tracing,
            )
            reloading = Reloading(options, loaded.settings, houses, _say)
            try:
                async with background(relay, changes, watching, sessions, suspensions):
                    if options.http is None:
                        await serve_stdio(front)
                    else:
                        await open_door(options, loaded, front, houses, measuring, sockets, reloading, _listening)
            finally:
                houses.close()
                await anyio.to_thread.run_sync(tracing.close)
    finally:
        for one in sockets:
            one.close()


def seal_of(loaded: LoadedSettings, callers: Callers) -> RequestStateSecurity:
    """Seals what 2026-07-28 clients carry between two rounds; replicas read each other's with the same `state_key`."""
    key = loaded.settings.server.state_key
    if key is not None and len(key) < SHORTEST_KEY:
        raise UsageError("serve.short_key", least=SHORTEST_KEY)
    material = secrets.token_bytes(SHORTEST_KEY) if key is None else key
    # Longer than any question is open, so that whoever answers too late is told what became of the call.
    good_for = loaded.settings.confirmations.expire_after + AFTERWARDS
    return RequestStateSecurity(keys=[material], ttl=good_for, bind_principal=callers.mark)


def _listening(url: str) -> None:
    _say(message("serve.listening", url=url))


def _say(text: str) -> None:
    """Standard output carries nothing here, so that a script may read the address from standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()

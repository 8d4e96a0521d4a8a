"""Puts the HTTP door together from the settings."""

import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mewcode.config import LoadedSettings
from mewcode.config.schema.serve import ServeGroup
from mewcode.errors import UsageError
from mewcode.server.front import Front
from mewcode.server.houses import Houses
from mewcode.server.http.app import PATH, HttpParts, build_app
from mewcode.server.http.checks import Accepted
from mewcode.server.http.doorkeeper import Doorkeeper, DoorSettings
from mewcode.server.http.listener import check_certificate, listener_of
from mewcode.server.http.peers import caller_address
from mewcode.server.http.probes import probe_routes
from mewcode.server.http.readiness import WITHIN, Readiness
from mewcode.server.http.run import Draining, run_http
from mewcode.server.identity.jwks import Jwks
from mewcode.server.identity.jwt_tokens import JwtTokens
from mewcode.server.identity.static_tokens import StaticTokens
from mewcode.server.identity.token_files import token_source
from mewcode.server.identity.verifier import Verifier
from mewcode.server.measuring import Measuring
from mewcode.server.options import Address, ServeOptions
from mewcode.server.reloading import Reloading
from mewcode.state import open_store


async def open_door(
    options: ServeOptions,
    loaded: LoadedSettings,
    front: Front,
    houses: Houses,
    measuring: Measuring,
    sockets: list[socket.socket],
    reloading: Reloading,
    say: Callable[[str], None],
) -> None:
    """Serves over HTTP until the process is told to end. `say` is told the URL."""
    assert options.http is not None
    settings = loaded.settings.server
    address = Address(options.http.host, int(sockets[0].getsockname()[1]))
    if options.no_auth and not address.is_loopback:
        raise UsageError("serve.no_auth_off_loopback", host=address.host)
    keeper = Doorkeeper(lambda of: _door_settings(options, of, address, houses), loaded)
    cert, key = keeper.current.cert, keeper.current.key
    base = settings.public_url or _url(address, secure=cert is not None)
    draining = Draining()
    parts = HttpParts(
        keeper=keeper,
        resource=base.rstrip("/").removesuffix(PATH) + PATH,
        max_body=int(settings.max_body),
        max_sessions=settings.max_connections,
        session_idle=settings.session_idle,
        stateless=options.stateless,
        metrics=measuring.metrics,
        routes=probe_routes(_readiness(draining, loaded, houses), measuring, houses),
    )
    listener = listener_of(build_app(front, parts), settings.max_connections, cert, key)
    reloading.keeper = keeper
    reloading.reloaded = lambda: listener.use_certificate(keeper.current.cert, keeper.current.key)
    # Not before signals are received: one that came earlier would kill the process.
    listener.ready = lambda: say(_url(address, secure=cert is not None) + PATH)
    await run_http(listener, sockets, front, houses, draining, settings.drain, reloading)


def _door_settings(options: ServeOptions, loaded: LoadedSettings, address: Address, houses: Houses) -> DoorSettings:
    settings = loaded.settings.server
    cert, key = _tls(options, settings)
    check_certificate(cert, key)
    return DoorSettings(
        Accepted.of(
            address, settings.public_url, settings.allowed_hosts, settings.allowed_origins, local=address.is_loopback
        ),
        None if options.no_auth else verifier_of(settings, houses),
        settings.jwt.issuer if settings.jwt else None,
        cert,
        key,
    )


def verifier_of(settings: ServeGroup, houses: Houses) -> Verifier:
    async def note(kind: str, principal: str | None, details: Mapping[str, Any]) -> None:
        app, refused = houses.current.app, principal is None
        noted = {**details, "address": caller_address()} if refused else details
        counted_for = caller_address() if refused else None
        await app.audit.event(
            kind, principal=principal, door=app.options.door.value, details=noted, counted_for=counted_for
        )

    jwt = None
    if settings.jwt is not None and settings.jwt.issuer is not None:
        jwt = JwtTokens(settings.jwt, Jwks(settings.jwt.issuer, settings.jwt.jwks_url))
    return Verifier(StaticTokens(token_source(settings, houses.current.app.paths)), jwt, note)


def _tls(options: ServeOptions, settings: ServeGroup) -> tuple[Path | None, Path | None]:
    cert = options.tls_cert or (settings.tls.cert if settings.tls else None)
    key = options.tls_key or (settings.tls.key if settings.tls else None)
    if (cert is None) != (key is None):
        raise UsageError("serve.half_tls")
    return (cert and cert.expanduser(), key and key.expanduser())


def _url(address: Address, *, secure: bool) -> str:
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{'https' if secure else 'http'}://{host}:{address.port}"


def _readiness(draining: Draining, loaded: LoadedSettings, houses: Houses) -> Readiness:
    """Permission needs the shared state, and every call its record."""
    state = loaded.settings.state
    store = open_store(state.url, prefix=state.prefix, timeout=state.timeout)
    return Readiness(
        lambda: draining.begun,
        {"the shared state is away": store.ping, "the audit is away": lambda: houses.current.app.audit.ping(WITHIN)},
    )

"""No model, or another one wanted: what was found, and how to get one in a few keys."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mewcode.errors import MewCodeError
from mewcode.messages import message
from mewcode.terminal.choosing import Option, ask_text, choose

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.terminal.session import Session

_KEY, _EMBEDDED, _AGAIN, _NAME = "key:", "local:", "again", "name"


async def offer_models(session: "Session", error: MewCodeError) -> None:
    """Says what is missing, and lets the person choose a way out."""
    missing = error.code == "models.nothing_there"  # the list says what to do about it
    session.screen.print(message("terminal.choose_first") if missing else str(error), "warn")
    await choose_model(session, wanted=False)


async def choose_model(session: "Session", *, wanted: bool = True) -> None:
    """The list; once, however many ask for it."""
    if session.choosing_model:
        return
    session.choosing_model = True
    try:
        await _choose_model(session, wanted=wanted)
    finally:
        session.choosing_model = False


async def _choose_model(session: "Session", *, wanted: bool) -> None:
    app = session.household.app
    if app is None:
        return
    current = session.status.model or None
    options = await asyncio.to_thread(_options, app, current)
    chosen = await choose(session.screen, message("terminal.choose_model"), options, wanted=wanted, current=current)
    if chosen == current and chosen is not None:
        return
    if chosen is not None:
        await _take(session, app, chosen)
    elif session.agent is None and session.keys.take_back():
        session.work.cancel()  # it waited with the message
    elif session.agent is None:
        session.screen.print(message("terminal.model_later"), "dim")


async def _take(session: "Session", app: "App", chosen: str) -> None:
    if chosen == _AGAIN:
        session.household.reopen()
    elif chosen.startswith(_KEY):
        await _with_key(session, app, chosen.removeprefix(_KEY))
    elif chosen == _NAME:
        name = await ask_text(session.screen, message("terminal.model_name"))
        if name:
            await _use(session, name)
    elif chosen == _EMBEDDED:
        session.screen.print(message("terminal.install_embedded"), "accent")
    else:
        await _use(session, chosen)


async def _use(session: "Session", name: str) -> None:
    whole = await session.household.use_model(name)
    session.status.model, session.status.trouble = whole, ""
    session.screen.print(message("terminal.model_set", name=whole), "dim")


def _options(app: "App", current: str | None) -> list[Option]:
    """The model that answers, then what could answer now, then what needs a key or an installation. Looks around: call
    it in a thread."""
    from mewcode.models.catalogue import KNOWN_PROVIDERS
    from mewcode.models.local.weights import embedded_model
    from mewcode.models.local_servers import find_local_servers, is_local
    from mewcode.models.resolution import key_in_environment

    environ = app.options.environ
    ready = [Option(current, current, message("terminal.answers_now"))] if current else []
    for server in find_local_servers(environ):
        about = message("terminal.found_server", url=server.base_url)
        ready += [Option(f"{server.provider}:{name}", f"{server.provider}:{name}", about) for name in server.models[:8]]
    asking: list[Option] = []
    for known in KNOWN_PROVIDERS:
        if is_local(known) or not known.needs_key or not known.keys:
            continue
        variable = key_in_environment(known, environ)
        entry = app.settings.providers.get(known.name)
        if variable or (entry is not None and entry.api_key):
            ready.append(Option(known.name, known.name, message("terminal.found_key", variable=variable or "config")))
        else:
            asking.append(
                Option(f"{_KEY}{known.name}", known.name, message("terminal.needs_key", variable=known.keys[0]))
            )
    ready += [
        Option(name, name, message("terminal.from_settings"))
        for name, entry in app.settings.providers.items()
        if name not in {one.value.partition(":")[0] for one in ready} and (entry.models or entry.base_url)
    ]
    weights = embedded_model(app.paths.models)
    embedded = (
        Option(f"local:{weights}", message("terminal.embedded"), message("terminal.embedded_ready"))
        if weights
        else Option(_EMBEDDED, message("terminal.embedded"), message("terminal.embedded_missing"))
    )
    last = [
        Option(_NAME, message("terminal.other_model"), "provider:model"),
        Option(_AGAIN, message("terminal.look_again"), message("terminal.look_again_about")),
    ]
    return [*ready, *([] if embedded.value == current else [embedded]), *asking, *last]


async def _with_key(session: "Session", app: "App", provider: str) -> None:
    """Keeps the key in a file of its own, for this user only; the settings name the file."""
    key = await ask_text(session.screen, message("terminal.type_key", provider=provider), hidden=True)
    if not key:
        return
    file = app.paths.home / "keys" / provider
    await asyncio.to_thread(_store_key, app, provider, file, key)
    session.screen.print(message("terminal.key_stored", file=file, settings=app.paths.config), "dim")
    session.household.reopen(provider)


def _store_key(app: "App", provider: str, file: Path, key: str) -> None:
    from mewcode.config.edit import set_value

    app.paths.ensure(file.parent)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(key)
    set_value(app.paths.config, ("providers", provider, "api_key"), f"${{file:{file}}}")
    set_value(app.paths.config, ("model",), provider)

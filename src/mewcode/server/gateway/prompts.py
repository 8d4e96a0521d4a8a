"""Prompts: three of our own, and those of upstream servers, got by get_prompt."""

from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as t
from pydantic import ValidationError

from mewcode.app.house import App
from mewcode.calls import Principal
from mewcode.mcp.naming import model_names
from mewcode.server.gateway.listings import listed
from mewcode.server.gateway.resources import sees
from mewcode.server.offer import Naming

GET_UPSTREAM = "get_prompt"

_OWN: Mapping[str, tuple[str, str, str, str, str]] = {
    "review_change": (
        "Review a change",
        "Reviews what changed in this workspace: defects first.",
        "base",
        "What to compare with, HEAD when absent",
        (
            "Review the change in this workspace against {value}. Look at `git diff {value}` with run_command, read "
            "the files around it with read_file, and search for callers with search_code. Report defects first, with "
            "file and line, then what is unclear; say so where you find nothing."
        ),
    ),
    "analyse_failing_test": (
        "Analyse a failing test",
        "Finds out why a test fails, before anything is changed.",
        "test",
        "The test's name or path",
        (
            "Find out why {value} fails. Run it with run_command, read the test and what it tests, and name the cause "
            "with file and line before you propose a change."
        ),
    ),
    "explain_module": (
        "Explain a module",
        "Explains a part of this project to somebody new to it.",
        "path",
        "The file or folder",
        (
            "Explain {value} to somebody new to this project: what it is for, its main parts, how they fit together, "
            "what calls it and what it calls. Read it with read_file and find its users with search_code."
        ),
    ),
}
"""Name: title, description, argument, what that is, and the text."""


class Prompts:
    def __init__(self, naming: Callable[[App], Naming]) -> None:
        self._naming = naming

    async def listing(self, app: App, principal: Principal) -> list[t.Prompt]:
        own = [
            t.Prompt(
                name=name,
                title=title,
                description=description,
                arguments=[t.PromptArgument(name=argument, description=about)],
            )
            for name, (title, description, argument, about, _) in _OWN.items()
            if sees(app, principal, "read_file")
        ]
        upstream = (await self._upstream(app, principal)).items()
        return own + [shown for name, (_, wire) in upstream if (shown := _prompt(name, wire)) is not None]

    def own(self, app: App, principal: Principal, name: str, arguments: Mapping[str, str]) -> t.GetPromptResult | None:
        """One of ours, filled in."""
        if name not in _OWN or not sees(app, principal, "read_file"):
            return None
        _, description, argument, about, text = _OWN[name]
        value = arguments.get(argument) or ("HEAD" if argument == "base" else f"({about.lower()}: ask the user)")
        message = t.PromptMessage(role="user", content=t.TextContent(text=text.format(value=value)))
        return t.GetPromptResult(description=description, messages=[message])

    async def target(self, app: App, principal: Principal, name: str) -> tuple[str, str] | None:
        """The server and its own name for an upstream prompt."""
        found = (await self._upstream(app, principal)).get(name)
        return None if found is None else (found[0], str(found[1]["name"]))

    async def _upstream(self, app: App, principal: Principal) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """By the name offered here."""
        if not sees(app, principal, GET_UPSTREAM):
            return {}
        found: dict[str, tuple[str, Mapping[str, Any]]] = {}
        naming = self._naming(app)
        for one in await listed(app, principal, "prompts"):
            original = str(one.wire["name"])
            host_name = model_names(one.server, [original])[original]
            name = host_name if naming.prefix is None else naming.of(one.server, original)
            found[host_name if name in found or name in _OWN else name] = (one.server, one.wire)
        return found


def _prompt(name: str, wire: Mapping[str, Any]) -> t.Prompt | None:
    try:
        return t.Prompt.model_validate({**wire, "name": name}, by_name=False)
    except ValidationError:
        return None

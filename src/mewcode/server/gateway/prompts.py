"""Prompts: three of our own, and those of upstream servers, got by get_prompt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class OwnPrompt:
    """`tools` are those that the text sends a model to: whoever has not all of them is not offered it. `about` says
    what the argument is, `otherwise` what stands in its place where none is given."""

    title: str
    description: str
    argument: str
    about: str
    otherwise: str
    tools: tuple[str, ...]
    text: str


_OWN: Mapping[str, OwnPrompt] = {
    "review_change": OwnPrompt(
        "Review a change",
        "Reviews what changed in this workspace: defects first.",
        "base",
        "What to compare with, HEAD when absent",
        "HEAD",
        ("run_command", "read_file", "search_code"),
        (
            "Review the change in this workspace against {value}. Look at `git diff {value}` with run_command, read "
            "the files around it with read_file, and search for callers with search_code. Report defects first, with "
            "file and line, then what is unclear; say so where you find nothing."
        ),
    ),
    "analyse_failing_test": OwnPrompt(
        "Analyse a failing test",
        "Finds out why a test fails, before anything is changed.",
        "test",
        "The test's name or path",
        "(the test's name or path: ask the user)",
        ("run_command", "read_file"),
        (
            "Find out why {value} fails. Run it with run_command, read the test and what it tests, and name the cause "
            "with file and line before you propose a change."
        ),
    ),
    "explain_module": OwnPrompt(
        "Explain a module",
        "Explains a part of this project to somebody new to it.",
        "path",
        "The file or folder",
        "(the file or folder: ask the user)",
        ("read_file", "search_code"),
        (
            "Explain {value} to somebody new to this project: what it is for, its main parts, how they fit together, "
            "what calls it and what it calls. Read it with read_file and find its users with search_code."
        ),
    ),
}


class Prompts:
    def __init__(self, naming: Callable[[App], Naming]) -> None:
        self._naming = naming

    async def listing(self, app: App, principal: Principal) -> list[t.Prompt]:
        own = [
            t.Prompt(
                name=name,
                title=prompt.title,
                description=prompt.description,
                arguments=[t.PromptArgument(name=prompt.argument, description=prompt.about)],
            )
            for name, prompt in _OWN.items()
            if _open_to(app, principal, prompt)
        ]
        upstream = (await self._upstream(app, principal)).items()
        return own + [shown for name, (_, wire) in upstream if (shown := _prompt(name, wire)) is not None]

    def own(self, app: App, principal: Principal, name: str, arguments: Mapping[str, str]) -> t.GetPromptResult | None:
        """One of ours, filled in."""
        prompt = _OWN.get(name)
        if prompt is None or not _open_to(app, principal, prompt):
            return None
        text = prompt.text.format(value=arguments.get(prompt.argument) or prompt.otherwise)
        message = t.PromptMessage(role="user", content=t.TextContent(text=text))
        return t.GetPromptResult(description=prompt.description, messages=[message])

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


def _open_to(app: App, principal: Principal, prompt: OwnPrompt) -> bool:
    return all(sees(app, principal, tool) for tool in prompt.tools)


def _prompt(name: str, wire: Mapping[str, Any]) -> t.Prompt | None:
    try:
        return t.Prompt.model_validate({**wire, "name": name}, by_name=False)
    except ValidationError:
        return None

"""What is wrong with the rules of the settings, as far as that shows without connecting to a server."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mewcode.app.builtins import builtin_settings
from mewcode.app.options import AppOptions
from mewcode.app.policy import build_policy
from mewcode.config import LoadedSettings, Paths
from mewcode.governance import Rule
from mewcode.tools import Tool

if TYPE_CHECKING:
    from mewcode.app.house import App
    from mewcode.governance.rules.check import Known
    from mewcode.governance.rules.problem import RuleProblem

OTHER_TOOLS = (
    "tool_search",
    "todo",
    "list_resources",
    "read_resource",
    "list_prompts",
    "get_prompt",
    "complete",
    "sample_model",
)
"""Our tools that are not built in but come with the servers, by name."""


def known_to(loaded: LoadedSettings, tools: Iterable[Tool]) -> "Known":
    """What rules may speak about; `tools` are the built-in ones."""
    from mewcode.governance.rules.check import Known

    return Known(tuple(loaded.settings.mcp_servers), tuple(tools), OTHER_TOOLS)


def mistakes_in(rules: Sequence[Rule], loaded: LoadedSettings, tools: Iterable[Tool]) -> "tuple[RuleProblem, ...]":
    """Rules that nobody can have meant as they stand: they match nothing, or not their own examples."""
    if not rules:
        return ()
    from mewcode.governance.rules.check import wrong_rules

    return wrong_rules(rules, known_to(loaded, tools))


def mistakes_here(app: "App") -> "tuple[RuleProblem, ...]":
    """The same of the rules that are in force in a house."""
    return mistakes_in(tuple(app.policy.rules), app.loaded, (tool for tool in app.registry if tool.server is None))


def mistakes_of(options: AppOptions, loaded: LoadedSettings, paths: Paths) -> "tuple[RuleProblem, ...]":
    """The same without a house around it."""
    from mewcode.tools.builtin import builtin_tools

    policy = build_policy(options, loaded, paths, servers=lambda: loaded.settings.mcp_servers, hides=lambda: True)
    settings = builtin_settings(loaded, paths, dict(options.environ))
    return mistakes_in(tuple(policy.rules), loaded, builtin_tools(settings, environ=options.environ))

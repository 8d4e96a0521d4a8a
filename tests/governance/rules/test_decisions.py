"""Deny wins, then ask, then allow; a narrower scope tightens and never loosens."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.governance.house import allow, ask, deny, rule
from tests.governance.tools import ReadFile, RemoteTool, RunCommand, WriteFile

from mewcode.calls import Effect, Principal
from mewcode.governance import Layers, Mode, Policy, Request, Rule
from mewcode.tools import Tool

ROOT = Path("/nowhere/workspace")
TOOLS: dict[str, Tool] = {"read_file": ReadFile(), "write_file": WriteFile(), "run_command": RunCommand()}
STRICT = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}


def decide(
    rules: list[Rule], tool: str | Tool, mode: Mode = Mode.DEFAULT, root: Path = ROOT, **arguments: Any
) -> Effect:
    chosen = TOOLS[tool] if isinstance(tool, str) else tool
    policy = Policy(rules=Layers(tuple(rules)), servers=lambda: ["github", "other"])
    return policy.decide(Request(chosen, arguments, Principal("alice"), (root,), mode=mode)).effect


def test_without_rules_reads_run_and_the_rest_is_asked() -> None:
    assert decide([], "read_file", path="src/a.py") is Effect.ALLOW
    assert decide([], "write_file", path="a", content="") is Effect.ASK
    assert decide([], RemoteTool("github", "get")) is Effect.ASK
    assert decide([], "run_command", command="ls -la | sort") is Effect.ALLOW
    assert decide([], "run_command", command="npm test") is Effect.ASK


@pytest.mark.parametrize(
    "path", [".env", "deploy/.env.production", "key.pem", "home/.ssh/id_ed25519", ".aws/credentials"]
)
def test_files_with_secrets_ask_through_whichever_tool(path: str) -> None:
    assert decide([], "read_file", path=path) is Effect.ASK
    assert decide([allow("read_file(**)")], "read_file", path=path) is Effect.ASK
    assert decide([], "run_command", command=f"cat {path}") is Effect.ASK
    assert decide([allow("run_command(cat *)")], "run_command", command=f"cat {path}") is Effect.ASK
    assert decide([allow(f"read_file({path})")], "read_file", path=path) is Effect.ALLOW


def test_an_example_environment_holds_no_secret() -> None:
    assert decide([], "read_file", path=".env.example") is Effect.ALLOW


def test_a_deny_on_a_file_holds_for_commands_and_spellings_of_its_path() -> None:
    rules = [deny("read_file(secrets/**)"), allow("run_command(*)")]
    for path in ("secrets/a", "./secrets/a", "x/../secrets/a", str(ROOT / "secrets/a"), "SECRETS/a"):
        assert decide(rules, "read_file", path=path) is Effect.DENY
    assert decide(rules, "run_command", command="cat secrets/a | sort") is Effect.DENY
    assert decide([deny("write_file(src/**)")], "run_command", command="echo x > src/a") is Effect.DENY


def test_a_link_hides_nothing(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "secrets").mkdir()
    (root / "public").symlink_to("secrets")
    rules = [deny("read_file(secrets/**)")]
    assert decide(rules, "read_file", root=root, path="public/a") is Effect.DENY
    assert decide([deny("read_file(public/**)")], "read_file", root=root, path="public/a") is Effect.DENY
    assert decide([allow("write_file(public/**)")], "write_file", root=root, path="public/a", content="") is Effect.ASK


def test_no_rule_opens_what_lies_outside_the_workspace(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "w"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    for path in ("../x", "/etc/passwd", "out/x", "~/x", "/proc/self/environ"):
        assert decide([allow("read_file(**)"), allow("*")], "read_file", root=root, path=path) is Effect.DENY


def test_a_redirection_is_a_write_of_its_own() -> None:
    rules = [allow("run_command(echo *)")]
    assert decide(rules, "run_command", command="echo hi > a") is Effect.ASK
    assert decide([*rules, allow("write_file(a)")], "run_command", command="echo hi > a") is Effect.ALLOW
    assert decide([*rules, allow("write_file(a)")], "run_command", command="echo hi > b") is Effect.ASK


def test_every_command_of_a_line_needs_its_rule() -> None:
    rules = [allow("run_command(npm test *)")]
    assert decide(rules, "run_command", command="npm test | tail -5") is Effect.ALLOW
    assert decide(rules, "run_command", command="npm test && npm publish") is Effect.ASK
    assert decide(rules, "run_command", command="$(cat program) test") is Effect.ASK


def test_commands_that_start_mewcode_are_never_allowed_by_a_rule() -> None:
    rules = [allow("*"), allow("run_command(*)", "command_line"), allow("run_command(mewcode *)")]
    for command in ("mewcode policy why x", "python -m mewcode run x", "sh -c 'mewcode --version'"):
        assert decide(rules, "run_command", command=command) is not Effect.ALLOW


def test_pairs_match_nested_keys_and_need_every_key() -> None:
    tool = RemoteTool("github", "create", parameters={"properties": {"repo": {}, "issue": {}}})
    rules = [allow("mcp_github_create(repo=acme/*, issue.kind=bug)")]
    assert decide(rules, tool, repo="acme/x", issue={"kind": "bug"}) is Effect.ALLOW
    assert decide(rules, tool, repo="acme/x", issue={"kind": "feature"}) is Effect.ASK
    assert decide(rules, tool, repo="acme/x") is Effect.ASK
    assert decide(rules, tool, repo=["acme/x", "evil/x"], issue={"kind": "bug"}) is Effect.ASK
    assert (
        decide([allow("mcp_github_*"), deny("mcp_github_create(repo=evil/*)")], tool, repo=["a", "EVIL/x"])
        is Effect.DENY
    )


def test_one_tool_of_a_gateway_is_governed_by_what_it_is_told_to_invoke() -> None:
    tool = RemoteTool("github", "invoke_tool", parameters={"properties": {"name": {}, "arguments": {}}})
    rules = [
        allow("mcp_github_invoke_tool(name=gmail_*)"),
        ask("mcp_github_invoke_tool(name=gmail_send*)"),
        deny("mcp_github_invoke_tool(name=gmail_delete*)"),
    ]
    assert decide(rules, tool, name="gmail_list", arguments={"all": True}) is Effect.ALLOW
    assert decide(rules, tool, name="gmail_send", arguments={}) is Effect.ASK
    assert decide(rules, tool, name="slack_list", arguments={}) is Effect.ASK
    for key in ("name", "Name", "NAME"):
        for name in ("gmail_delete", "GMAIL_DELETE_ALL", ["gmail_list", "gmail_delete"]):
            assert decide(rules, tool, **{key: name}) is Effect.DENY, (key, name)
    assert decide(rules, tool, Name="gmail_list") is Effect.ASK


@pytest.mark.parametrize("name", ["run_python", "executeCode", "bash", "start_process", "shell_exec"])
def test_a_server_is_no_way_around_a_deny_of_all_commands(name: str) -> None:
    tool = RemoteTool("github", name)
    closed = deny("run_command")
    assert decide([closed], tool) is Effect.ASK
    assert decide([closed, allow("mcp_github_*")], tool) is Effect.ASK
    assert decide([closed, allow(f"mcp_github_{name}")], tool) is Effect.ALLOW
    assert decide([closed, allow("mcp_github_*")], RemoteTool("github", "list_issues")) is Effect.ALLOW
    assert decide([deny("run_command(rm *)"), allow("mcp_github_*")], tool) is Effect.ALLOW


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("npx -c 'touch x'", Effect.ASK),
        ('npx --call="touch x"', Effect.ASK),
        ("npx -p a -c 'touch x'", Effect.ASK),
        ("npx -c 'rm x'", Effect.DENY),
        ("npx some-package && touch x", Effect.ASK),
    ],
)
def test_an_allowed_launcher_of_packages_runs_no_other_program(line: str, effect: Effect) -> None:
    assert decide([allow("run_command(npx *)"), deny("run_command(rm *)")], "run_command", command=line) is effect


@pytest.mark.parametrize("place", range(3))
def test_the_order_of_rules_decides_nothing(place: int) -> None:
    rules = [deny("run_command(rm *)"), ask("run_command(git push *)")]
    rules.insert(place, allow("*"))
    assert decide(rules, "run_command", command="rm x") is Effect.DENY
    assert decide(rules, "run_command", command="cd x && git push") is Effect.ASK
    assert decide(rules, "run_command", command="git commit -m x") is Effect.ALLOW


def test_the_command_line_answers_asks_of_users_and_projects_only() -> None:
    given_rule = allow("write_file(*)", "command_line")
    for scope in ("user", "project", "session"):
        assert decide([ask("write_file", scope), given_rule], "write_file", path="a", content="") is Effect.ALLOW
    assert decide([ask("write_file", "managed"), given_rule], "write_file", path="a", content="") is Effect.ASK
    assert decide([deny("write_file", "project"), given_rule], "write_file", path="a", content="") is Effect.DENY


def test_the_modes() -> None:
    assert decide([allow("write_file")], "write_file", Mode.PLAN, path="a", content="") is Effect.DENY
    assert decide([], "run_command", Mode.PLAN, command="ls") is Effect.ALLOW
    assert decide([allow("run_command(*)")], "run_command", Mode.PLAN, command="touch a") is Effect.DENY
    assert decide([], "write_file", Mode.ACCEPT_EDITS, path="a", content="") is Effect.ALLOW
    assert decide([], "write_file", Mode.ACCEPT_EDITS, path=".git/hooks/x", content="") is Effect.ASK
    assert decide([ask("write_file")], "write_file", Mode.ACCEPT_EDITS, path="a", content="") is Effect.ASK
    assert decide([], "write_file", Mode.AUTO, path="a", content="") is Effect.DENY
    assert decide([], "read_file", Mode.AUTO, path="a") is Effect.ALLOW


def test_a_broken_settings_file_lets_nothing_run_unasked() -> None:
    policy = Policy(rules=Layers((allow("*"),)), nothing_unasked=True)
    request = Request(TOOLS["read_file"], {"path": "a"}, Principal("alice"), (ROOT,))
    assert policy.decide(request).effect is Effect.ASK


PATTERNS = st.sampled_from(
    ["*", "write_file", "write_file(src/**)", "write_file(a)", "read_file(**)", "read_file(a)", "run_command(ls *)",
     "run_command(rm *)", "run_command(*)", "mcp_github_*", "mcp_*_get", "mcp:github/get"]
)  # fmt: skip
RULES = st.builds(
    rule,
    st.sampled_from(["allow", "ask", "deny"]),
    PATTERNS,
    st.sampled_from(["managed", "user", "project", "session", "command_line"]),
)
CALLS: list[tuple[str | Tool, dict[str, Any]]] = [
    ("write_file", {"path": "src/x", "content": ""}),
    ("read_file", {"path": "a"}),
    ("run_command", {"command": "rm x"}),
    ("run_command", {"command": "ls && rm x > a"}),
    (RemoteTool("github", "get"), {}),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(RULES, max_size=5), RULES, st.sampled_from(CALLS))
def test_adding_a_deny_or_an_ask_never_loosens(
    rules: list[Rule], more: Rule, call: tuple[str | Tool, dict[str, Any]]
) -> None:
    if more.effect is Effect.ALLOW:
        return
    tool, arguments = call
    before = decide(rules, tool, **arguments)
    assert STRICT[decide([*rules, more], tool, **arguments)] >= STRICT[before]


@settings(max_examples=150, deadline=None)
@given(st.lists(RULES, max_size=5), st.sampled_from(CALLS))
def test_nothing_loosens_what_a_managed_rule_denies_or_asks(
    rules: list[Rule], call: tuple[str | Tool, dict[str, Any]]
) -> None:
    tool, arguments = call
    managed = [each for each in rules if each.scope.value == "managed" and each.effect is not Effect.ALLOW]
    alone = decide(managed, tool, **arguments)
    ruled = Policy(rules=Layers(tuple(managed))).decide(
        Request(TOOLS[tool] if isinstance(tool, str) else tool, arguments, Principal("alice"), (ROOT,))
    )
    if ruled.source is not None and ruled.source.scope == "managed":
        assert STRICT[decide(rules, tool, **arguments)] >= STRICT[alone]

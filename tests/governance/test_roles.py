"""What a principal may not call it does not see, and cannot call either. The roles are those of docs/rules.md."""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.governance.house import House, allow, ask, build, deny
from tests.governance.tools import RemoteTool

from mewcode.calls import Door, ErrorKind, Principal
from mewcode.governance import Bounds, Request, Role, Roles, Rule
from mewcode.governance.roles import UNBOUND_ROLE

pytestmark = pytest.mark.anyio
DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


def documented_roles() -> Roles:
    blocks = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    content: Any = next(YAML(typ="safe").load(block) for block in blocks if block.startswith("roles:"))
    roles = {
        name: Role(
            name, tuple(entry["tools"]), tuple(entry["read"]), tuple(entry.get("write", ())), entry.get("commands")
        )
        for name, entry in content["roles"].items()
    }
    return Roles(roles)


def house_for(workspace: Path, **bounds: Any) -> House:
    tools = [RemoteTool("github", "get_issue"), RemoteTool("github", "delete_repo"), RemoteTool("prod", "restart")]
    rules = [allow("*"), deny("mcp_*_delete_*")]
    return build(workspace, rules, tools=tools, bounds=Bounds(documented_roles(), **bounds))


def caller(role: str) -> Principal:
    return Principal(f"a-{role}", (role,), Door.SERVE_HTTP)


def seen(house: House, role: str) -> set[str]:
    return {tool.name for tool in house.registry.view(caller(role))}


def test_each_role_sees_its_tools_only(tmp_path: Path) -> None:
    house = house_for(tmp_path, hides=True)
    assert seen(house, "developer") == {"read_file", "write_file", "run_command", "mcp_github_get_issue"}
    assert seen(house, "owner") == {
        "read_file",
        "write_file",
        "run_command",
        "mcp_github_get_issue",
        "mcp_prod_restart",
    }
    assert "mcp_github_delete_repo" not in seen(house, "admin")


async def test_a_hidden_tool_cannot_be_called_and_is_answered_like_an_unknown_one(tmp_path: Path) -> None:
    house = house_for(tmp_path, hides=True)
    hidden = await house.result("mcp_prod_restart", principal=caller("developer"))
    unknown = await house.result("mcp_prod_restarx", principal=caller("developer"))
    assert hidden.error is not None
    assert unknown.error is not None
    assert hidden.error.kind is unknown.error.kind is ErrorKind.UNKNOWN_TOOL
    assert hidden.text.replace("restart", "restarx") == unknown.text


async def test_paths_outside_a_role_are_refused(tmp_path: Path) -> None:
    house = house_for(tmp_path, hides=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a").write_text("a")
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "a").write_text("a")
    developer = caller("developer")
    assert not (await house.result("read_file", {"path": "src/a"}, principal=developer)).is_error
    for tool, arguments in (
        ("write_file", {"path": "deploy/a", "content": "x"}),
        ("write_file", {"path": "src/../deploy/a", "content": "x"}),
        ("run_command", {"command": "echo x > deploy/a"}),
    ):
        result = await house.result(tool, arguments, principal=developer)
        assert result.error is not None
        assert result.error.kind is ErrorKind.REFUSED
    assert (tmp_path / "deploy" / "a").read_text() == "a"


async def test_a_roles_command_set_is_a_bound_that_no_rule_widens(tmp_path: Path) -> None:
    house = house_for(tmp_path, hides=True)
    result = await house.result("run_command", {"command": "curl http://127.0.0.1:9"}, principal=caller("developer"))
    assert result.error is not None
    assert result.error.kind is ErrorKind.REFUSED


def test_a_narrow_scope_has_no_commands_without_a_sandbox_that_hides_the_rest(tmp_path: Path) -> None:
    assert "run_command" not in seen(house_for(tmp_path), "developer")
    assert "run_command" in seen(house_for(tmp_path), "admin")


def test_over_the_network_nobody_is_anything_by_default(tmp_path: Path) -> None:
    house = house_for(tmp_path)
    for principal in (Principal("eve", (), Door.SERVE_HTTP), Principal("eve", ("no-such-role",), Door.SERVE_HTTP)):
        assert not house.registry.view(principal).tools
    assert house.registry.view(Principal("eve", (UNBOUND_ROLE,), Door.SERVE_HTTP)).tools


async def test_the_scope_that_a_tool_gets_hides_what_rules_and_roles_hide(tmp_path: Path) -> None:
    house = build(tmp_path, [deny("read_file(private/**)")])
    (tmp_path / "a").write_text("x")
    await house.result("read_file", {"path": "a"})
    from mewcode.workspace.access import Access

    scope = house.registry.get("read_file").calls[0].scope  # type: ignore[union-attr]
    access = Access(scope.roots, scope.read_only_roots, scope.read, scope.write)
    root = scope.roots[0]
    assert access.may_read(root / "src" / "a.py")
    assert access.may_read(root / ".env.example")
    for hidden in ("private/a", ".env", "x/.env.local", "deep/key.pem"):
        assert not access.may_read(root / hidden)


def staff(workspace: Path, preset: str = "blacklist", *rules: Rule) -> House:
    roles = {name: Role(name, commands=name) for name in ("whitelist", "blacklist")}
    roles |= {"listed": Role("listed", commands=("pytest *", "touch *")), "plain": Role("plain")}
    return build(workspace, rules, bounds=Bounds(Roles(roles)), policy={"commands": preset})


def effect(house: House, line: str, *roles: str) -> str:
    tool = house.registry.get("run_command")
    assert tool is not None
    principal = Principal("alice", roles, Door.SERVE_HTTP)
    return house.gate.policy.decide(Request(tool, {"command": line}, principal, (house.workspace,))).effect.value


WHITELISTED = ("pytest -q", "npm test", "make", "git log --oneline", "ls | sort", "cd src && cargo build")


@pytest.mark.parametrize("line", WHITELISTED)
def test_a_role_with_a_set_of_its_own_runs_what_the_set_allows(tmp_path: Path, line: str) -> None:
    house = staff(tmp_path)
    assert effect(house, line, "whitelist") == "allow"
    assert effect(house, line, "plain") == effect(house, line, "blacklist")
    assert effect(house, line, "plain", "whitelist") == effect(house, line, "whitelist", "plain") == "allow"


def test_its_set_allows_nothing_else(tmp_path: Path) -> None:
    house = staff(tmp_path)
    for line in (
        "curl http://127.0.0.1",
        "touch a",
        "rm a",
        "pytest && rm a",
        "python -c 1",
        "$(cat x)",
        "make deploy",
    ):
        assert effect(house, line, "whitelist") == "deny", line
    assert effect(house, "pytest > out", "whitelist") == "ask"
    assert effect(house, "touch a", "whitelist", "plain") == "ask"


def test_rules_hold_against_a_roles_set_and_a_role_loosens_no_general_one(tmp_path: Path) -> None:
    assert effect(staff(tmp_path, "blacklist", ask("run_command(pytest *)")), "pytest", "whitelist") == "ask"
    assert effect(staff(tmp_path, "blacklist", deny("run_command(@test)")), "pytest", "whitelist") == "deny"
    assert effect(staff(tmp_path, "whitelist"), "touch a", "blacklist") == "deny"
    assert effect(staff(tmp_path, "whitelist"), "pytest", "blacklist") == "allow"


def test_a_role_that_lists_its_commands_is_bound_by_them_and_not_spared_a_question(tmp_path: Path) -> None:
    house = staff(tmp_path)
    assert effect(house, "pytest -q", "listed") == "ask"
    assert effect(house, "npm test", "listed") == "deny"
    assert effect(staff(tmp_path, "blacklist", allow("run_command(pytest *)")), "pytest -q", "listed") == "allow"

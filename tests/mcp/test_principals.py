"""Connections of principals: whose login each gets, how many there are, and whose failure it is."""

import sys
from pathlib import Path

import anyio
import pytest
from tests.mcp.running import PATIENCE, fault, running, until

from mewcode.calls import Principal, ToolCall
from mewcode.mcp import MCPManager, ServerDefinition, ServerGoneError
from mewcode.mcp.logins import Logins, secret_name
from mewcode.mcp.principals import Own, PrincipalRules
from mewcode.state.secret_store import SecretStore
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio

WHOSE = Path(__file__).parents[1] / "server" / "whose_server.py"


def whose() -> ServerDefinition:
    command = (sys.executable, str(WHOSE))
    return ServerDefinition("w", command=command, connect_timeout=PATIENCE, credentials="principal")


async def call(manager: MCPManager, principal: str, tool: str = "whoami") -> str:
    server = await manager.server_for("w", principal)
    await server.source.wait_settled()
    found = next(t for t in manager.registry.of_server("w") if t.owner == principal and t.original_name == tool)
    result = await found.execute(ToolCall(found.name, {}, "s", Principal(principal)))
    return result.text


async def test_the_login_of_one_principal_is_that_of_nobody_else(tmp_path: Path) -> None:
    server = ServerDefinition("w", url="https://example.com/mcp", credentials="principal")
    secrets = SecretStore(tmp_path, use_keyring=False)
    logins = Logins(secrets)
    rules = PrincipalRules()
    alice, bob = rules.definition(server, "alice"), rules.definition(server, "bob")
    await secrets.set(secret_name(alice), '{"tokens": {"access_token": "a", "token_type": "Bearer"}}')
    assert await logins.auth_for(alice) is not None
    assert await logins.auth_for(bob) is None
    assert await logins.auth_for(server) is None
    assert len({alice.key, bob.key, server.key}) == 3
    assert await logins.logout(bob) is False
    assert await logins.auth_for(alice) is not None


def test_a_principals_header_takes_the_place_of_the_entrys_however_it_is_written() -> None:
    server = ServerDefinition("w", url="https://example.com/", headers={"X-Team": "ours", "x-user": "all"})
    rules = PrincipalRules({("alice", "w"): Own(headers={"X-User": "alice"})})
    assert rules.definition(server, "alice").headers == {"X-Team": "ours", "X-User": "alice"}
    assert rules.definition(server, "bob").headers == {"X-Team": "ours", "x-user": "all"}


async def test_a_tool_of_one_principal_is_not_run_for_another() -> None:
    rules = PrincipalRules({("alice", "w"): Own(env={"WHO": "alice-key"})})
    async with running(whose(), principals=rules) as manager:
        assert await call(manager, "alice") == "alice"
        assert await call(manager, "bob") == "nobody"
        tool = next(t for t in manager.registry.of_server("w") if t.owner == "alice")
        with pytest.raises(AssertionError):
            await tool.execute(ToolCall(tool.name, {}, "s", Principal("bob")))


async def test_a_connection_in_use_is_not_closed_for_another() -> None:
    silent = fault("w", "hang", credentials="principal")
    async with running(silent, principals=PrincipalRules(most_open=1)) as manager:
        server = await manager.server_for("w", "alice")
        await server.source.wait_settled()
        tool = next(t for t in manager.registry.of_server("w") if t.owner == "alice")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tool.execute, ToolCall(tool.name, {}, "s", Principal("alice")))
            with anyio.fail_after(PATIENCE):
                while not await refused(manager, "bob"):
                    await anyio.sleep(0.02)
            tasks.cancel_scope.cancel()
        other = await manager.server_for("w", "bob")
        assert await other.source.wait_settled() is ServerState.READY


async def refused(manager: MCPManager, principal: str) -> bool:
    """Whether all connections are in use."""
    try:
        await manager.server_for("w", principal)
    except ServerGoneError as error:
        assert "in use" in str(error)
        return True
    return False


async def test_the_failure_of_one_is_not_that_of_the_others() -> None:
    rules = PrincipalRules({("bob", "w"): Own(env={"PYTHONHOME": "/nowhere"})})
    async with running(whose(), principals=rules) as manager:
        bob = await manager.server_for("w", "bob")
        await until(lambda: bob.source.state in (ServerState.RETRYING, ServerState.FAILED))
        assert await call(manager, "alice") == "nobody"
        assert manager.registry.sources["w"].state is ServerState.READY
        assert manager.registry.source_of("mcp_w_whoami", "bob") is bob.source

"""Logins: asked for once, kept for this user only, refreshed after a restart, forgotten on request."""

import stat
from pathlib import Path

import httpx
import pytest
from tests.mcp.oauth_server import OAuthServer, guarded
from tests.mcp.running import PATIENCE, call, running

from mewcode.mcp import McpError, ServerDefinition
from mewcode.mcp.login_listener import LoginListener
from mewcode.mcp.login_session import first_login
from mewcode.mcp.logins import Logins
from mewcode.mcp.oauth import LoginNeededError, code_in, safe_to_open
from mewcode.state.secret_store import SecretStore
from mewcode.tools import ServerState

pytestmark = pytest.mark.anyio


class Clicking:
    """A person who agrees: opens the page and is led back to the listener, or pastes where it led."""

    redirect_uri = "http://127.0.0.1:1/callback"

    def __init__(self) -> None:
        self.pages: list[str] = []
        self._location = ""

    async def show(self, url: str) -> None:
        self.pages.append(url)
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            self._location = (await client.get(url)).headers["location"]

    async def redirected(self) -> str:
        return self._location


def definition_of(server: OAuthServer) -> ServerDefinition:
    return ServerDefinition("guarded", url=f"{server.origin}/mcp", connect_timeout=PATIENCE, timeout=PATIENCE)


def logins_in(folder: Path) -> Logins:
    return Logins(SecretStore(folder, use_keyring=False))


async def test_without_a_login_the_server_needs_one_and_the_command_is_named() -> None:
    with guarded() as server:
        async with running(definition_of(server)) as manager:
            source = manager.servers["guarded"].source
            assert source.state is ServerState.NEEDS_AUTH
            assert "mewcode mcp login guarded" in (source.error or "")


async def test_a_login_lasts_over_a_restart_and_an_expired_token_is_refreshed_without_asking(tmp_path: Path) -> None:
    with guarded(lifetime=1) as server:
        definition, person = definition_of(server), Clicking()
        assert await first_login(definition, logins_in(tmp_path), person) == 1
        assert len(person.pages) == 1
        server.valid.clear()
        async with running(definition, auth=logins_in(tmp_path)) as manager:
            assert (await call(manager, "guarded")).text == "let in"
        assert server.grants[0] == "authorization_code"
        assert set(server.grants[1:]) == {"refresh_token"}
        assert len(person.pages) == 1
        for file in tmp_path.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_registration_that_has_expired_needs_one_login_which_registers_anew(tmp_path: Path) -> None:
    with guarded(lifetime=1) as server:
        definition, person = definition_of(server), Clicking()
        await first_login(definition, logins_in(tmp_path), person)
        server.valid.clear()
        server.good_clients.clear()
        async with running(definition, auth=logins_in(tmp_path)) as manager:
            source = manager.servers["guarded"].source
            assert source.state is ServerState.NEEDS_AUTH
            assert "mewcode mcp login guarded" in (source.error or "")
        await first_login(definition, logins_in(tmp_path), person)
        async with running(definition, auth=logins_in(tmp_path)) as manager:
            assert (await call(manager, "guarded")).text == "let in"
        assert server.registered == 2


async def test_after_a_logout_nothing_is_left(tmp_path: Path) -> None:
    with guarded() as server:
        definition, logins = definition_of(server), logins_in(tmp_path)
        await first_login(definition, logins, Clicking())
        assert await logins.logout(definition)
        assert not await logins.logout(definition)
        async with running(definition, auth=logins) as manager:
            assert manager.servers["guarded"].source.state is ServerState.NEEDS_AUTH


async def test_a_login_is_not_given_to_another_address_of_the_same_name(tmp_path: Path) -> None:
    with guarded() as server, guarded() as other:
        logins = logins_in(tmp_path)
        await first_login(definition_of(server), logins, Clicking())
        assert await logins.auth_for(definition_of(other)) is None


async def test_a_page_that_is_not_encrypted_is_never_opened(tmp_path: Path) -> None:
    with guarded() as server:
        server.page = "http://login.example.com/authorize"
        person = Clicking()
        with pytest.raises(McpError, match="failed"):
            await first_login(definition_of(server), logins_in(tmp_path), person)
        assert not person.pages


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://login.example.com/x", True),
        ("http://127.0.0.1:8000/x", True),
        ("http://example.com/x", False),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("vscode://x", False),
    ],
)
def test_pages_are_of_the_web_and_encrypted(url: str, safe: bool) -> None:
    assert safe_to_open(url) is safe


async def test_the_listener_takes_the_redirect_and_nothing_else() -> None:
    async with LoginListener(lambda url: None, None) as listener:
        import anyio

        async def browse() -> None:
            async with httpx.AsyncClient(timeout=PATIENCE) as client:
                assert (await client.get(listener.redirect_uri.replace("/callback", "/other"))).status_code == 404
                await client.get(f"{listener.redirect_uri}?code=c&state=s")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(browse)
            found = code_in(await listener.redirected(), "s")
        assert (found.code, found.state) == ("c", "s")


async def test_the_address_may_be_pasted_instead() -> None:
    lines = iter(["what?\n", "http://127.0.0.1/callback?code=c&state=s\n"])

    async def paste() -> str:
        return next(lines)

    async with LoginListener(lambda url: None, paste) as listener:
        assert code_in(await listener.redirected(), "s").code == "c"


def test_a_refusal_is_told_with_its_reason() -> None:
    with pytest.raises(LoginNeededError, match="access_denied no"):
        code_in("http://x/callback?error=access_denied&error_description=no", "s")
    with pytest.raises(LoginNeededError, match="no code"):
        code_in("http://x/callback", "s")

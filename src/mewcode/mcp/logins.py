"""Logins to servers over HTTP: which credentials a connection gets, how a person logs in and out."""

from typing import TYPE_CHECKING, Protocol

from mewcode.mcp.definition import ServerDefinition

if TYPE_CHECKING:
    import httpx2


class SecretPort(Protocol):
    """Keeps secrets by name: `state.SecretStore` (the system's keyring, else files for this user only)."""

    async def get(self, name: str) -> str | None: ...

    async def set(self, name: str, value: str) -> None: ...

    async def delete(self, name: str) -> bool: ...


class LoginPort(Protocol):
    """The person who logs in. `show` gets the page to visit; `redirected` waits for the whole URL that the page then
    leads to: from a listener on this machine, or pasted."""

    redirect_uri: str

    async def show(self, url: str) -> None: ...

    async def redirected(self) -> str: ...


class Logins:
    """What `mewcode mcp login` stored, for connections; nobody is ever asked while one is made."""

    def __init__(self, secrets: SecretPort) -> None:
        self._secrets = secrets

    async def auth_for(self, definition: ServerDefinition) -> "httpx2.Auth | None":
        """The credentials for a server: None where its entry has an Authorization header, or nobody logged in."""
        if any(name.lower() == "authorization" for name in definition.headers):
            return None
        choice = definition.oauth
        with_client = choice is not None and choice.grant == "client_credentials"
        if not with_client and await self._secrets.get(secret_name(definition)) is None:
            return None
        from mewcode.mcp.oauth import stored_login

        return stored_login(definition, self._secrets)

    async def login(self, definition: ServerDefinition, person: LoginPort) -> "httpx2.Auth":
        """Forgets what was stored, and gives credentials whose first use asks the person."""
        from mewcode.mcp.oauth import asking_login

        await self.logout(definition)
        return asking_login(definition, self._secrets, person)

    async def logout(self, definition: ServerDefinition) -> bool:
        """Whether there was a login to forget."""
        return await self._secrets.delete(secret_name(definition))


def secret_name(definition: ServerDefinition) -> str:
    """A login belongs to a name and an address, and where each principal has its own, to one principal: another
    address under the same name, or another principal, gets none of it."""
    whose = "" if definition.principal is None else f"\nfor {definition.principal}"
    return f"mcp {definition.name} {definition.url}{whose}"

"""The client whose calls are awaited. It needs httpx: ``pip install 'keepsake-client[async]'``."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ._async_caller import AsyncConnection, AsyncHttp
from ._call import Scope
from .async_routes import AsyncScopeRoutes, AsyncServerRoutes


class AsyncScopedMemory(AsyncScopeRoutes):
    """One person's memory, or what one agent or app sees of it. Made by `AsyncKeepsake.scope`."""

    def __init__(self, connection: AsyncConnection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.scope = scope


class AsyncKeepsake(AsyncServerRoutes):
    """A Keepsake server, asked with ``await``.

    Args:
        base_url: Where the server is.
        key: A key of the server, ``ks_…``. Absent: the server asks for none.
        retries: As of `Keepsake`.
        timeout: Seconds, as of `Keepsake`. Not looked at when `http` is given.
        http: An ``httpx.AsyncClient`` of the application's own: for a proxy, certificates, HTTP/2. It stays the application's to close.

    Example:
        >>> async with AsyncKeepsake("http://127.0.0.1:4150") as keepsake:
        ...     ana = keepsake.scope("ana")
        ...     await ana.remember({"role": "user", "text": "I moved to Lyon last week."})
        ...     recall = await ana.recall("Where does Ana live?")
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:4150",
        key: str | None = None,
        *,
        retries: int = 2,
        timeout: float = 60.0,
        http: AsyncHttp | None = None,
    ) -> None:
        super().__init__(AsyncConnection(base_url, key, retries=retries, timeout=timeout, http=http), None)

    def scope(
        self, user: str, *, tenant: str | None = None, agent: str | None = None, app: str | None = None
    ) -> AsyncScopedMemory:
        """One person's memory; agent and app narrow it to what these see. Asks the server nothing."""
        return AsyncScopedMemory(self._connection, Scope(user, tenant, agent, app))

    async def close(self) -> None:
        """Closes the connections that are kept."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

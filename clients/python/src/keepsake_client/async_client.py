"""The client with ``await``. It needs httpx: ``pip install 'keepsake-client[async]'``."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ._async_caller import AsyncConnection, AsyncHttp
from ._call import Scope
from .async_routes import AsyncScopeRoutes, AsyncServerRoutes


class AsyncScopedMemory(AsyncScopeRoutes):
    """One user's memory, or the part of it that an agent or app can read. Made by `AsyncKeepsake.scope`."""

    def __init__(self, connection: AsyncConnection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.scope = scope


class AsyncKeepsake(AsyncServerRoutes):
    """A Keepsake server, called with ``await``.

    Args:
        base_url: The server's address.
        key: A key of the server, ``ks_…``; absent for a server without keys.
        retries: As for `Keepsake`.
        timeout: Seconds, as for `Keepsake`. Ignored when `http` is passed.
        http: The application's own ``httpx.AsyncClient``, for a proxy, certificates or HTTP/2. The application closes it.

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
        """Returns one user's memory, or the part of it that an agent or app can read. Sends no request."""
        return AsyncScopedMemory(self._connection, Scope(user, tenant, agent, app))

    async def close(self) -> None:
        """Closes the open connections."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

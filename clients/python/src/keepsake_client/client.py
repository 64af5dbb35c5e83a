"""The client: a server, and the people whose memories it keeps."""

from __future__ import annotations

import ssl
from types import TracebackType
from typing import Self

from ._call import Scope
from ._connection import Connection
from .routes import ScopeRoutes, ServerRoutes


class ScopedMemory(ScopeRoutes):
    """One person's memory, or what one agent or app sees of it. Made by `Keepsake.scope`."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.scope = scope


class Keepsake(ServerRoutes):
    """A Keepsake server. Threads may share it. It needs nothing but the standard library.

    Args:
        base_url: Where the server is.
        key: A key of the server, ``ks_…``. Absent: the server asks for none.
        retries: How often a call that failed is made again at most: refused for now, not answered though it may be sent again, or
            not sent at all. What changes something is sent under an ``Idempotency-Key``, so that it is done once. 0: never.
        timeout: Seconds without a sign of the server until a call has failed; a stream that waits gives one every 15.
        ssl_context: How https is checked, where the usual way will not do.

    Example:
        >>> with Keepsake("http://127.0.0.1:4150") as keepsake:
        ...     ana = keepsake.scope("ana")
        ...     ana.remember({"role": "user", "text": "I moved to Lyon last week."})
        ...     print(ana.recall("Where does Ana live?")["context"]["text"])
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:4150",
        key: str | None = None,
        *,
        retries: int = 2,
        timeout: float = 60.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(
            Connection(base_url, key, retries=retries, timeout=timeout, ssl_context=ssl_context), None
        )

    def scope(
        self, user: str, *, tenant: str | None = None, agent: str | None = None, app: str | None = None
    ) -> ScopedMemory:
        """One person's memory; agent and app narrow it to what these see. Asks the server nothing."""
        return ScopedMemory(self._connection, Scope(user, tenant, agent, app))

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""The client of a server, and of the memories of its users."""

from __future__ import annotations

import ssl
from types import TracebackType
from typing import Self

from ._call import Scope
from ._connection import Connection
from .routes import ScopeRoutes, ServerRoutes


class ScopedMemory(ScopeRoutes):
    """One user's memory, or the part of it that an agent or app can read. Made by `Keepsake.scope`."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope)
        self.scope = scope


class Keepsake(ServerRoutes):
    """A Keepsake server. Threads may share it. It needs only the standard library.

    Args:
        base_url: The server's address.
        key: A key of the server, ``ks_…``; absent for a server without keys.
        retries: Maximum of repetitions of a failed call, 0 for none. A call is repeated if it was not sent, if it was refused for the
            moment, or if it has no answer and may be sent again. Calls that change data get an ``Idempotency-Key``, so they are done once.
        timeout: Seconds without data from the server after which a call fails. A waiting stream sends some every 15 seconds.
        ssl_context: Settings of https, for servers that the default settings do not fit.

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
        """Returns one user's memory, or the part of it that an agent or app can read. Sends no request."""
        return ScopedMemory(self._connection, Scope(user, tenant, agent, app))

    def close(self) -> None:
        """Closes the open connections."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

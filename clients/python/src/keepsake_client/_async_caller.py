"""How routes are called where calls are awaited: over httpx, which is asked for when the first client is made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Any, Protocol

from ._call import Call, Scope
from ._caller import EVENTS, LINES, broken_off, told, told_of_reply
from ._connection import parsed, refusal
from ._retries import NotSentError, Retries
from ._streams import EventReader, LineReader
from .errors import KeepsakeConnectionError, KeepsakeRequestError


class AsyncHttpAnswer(Protocol):
    """What is looked at of an ``httpx.Response``."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    async def aread(self) -> bytes: ...
    def aiter_bytes(self) -> AsyncIterator[bytes]: ...


class AsyncHttp(Protocol):
    """What is asked of an ``httpx.AsyncClient``."""

    def stream(
        self, method: str, url: str, *, content: Any = ..., headers: Any = ...
    ) -> AbstractAsyncContextManager[Any]: ...
    async def aclose(self) -> None: ...


class AsyncConnection:
    """Where a server is, and how it is asked."""

    def __init__(
        self, base_url: str, key: str | None, *, retries: int, timeout: float, http: AsyncHttp | None
    ) -> None:
        self._httpx = _load_httpx()
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._retries = Retries(retries)
        self._owns_http = http is None
        self._http: AsyncHttp = self._httpx.AsyncClient(timeout=timeout) if http is None else http

    @asynccontextmanager
    async def open(self, call: Call) -> AsyncGenerator[AsyncHttpAnswer, None]:
        """The answer to a call, its body unread."""
        call = call.keyed() if self._retries.most > 0 else call
        opened, answer = await self._opened(call)
        try:
            yield answer
        except self._httpx.TransportError as cause:
            raise KeepsakeConnectionError(f"The answer broke off: {_words(cause)}.") from cause
        finally:
            await opened.__aexit__(None, None, None)

    async def close(self) -> None:
        """Closes the connections, but for those of an ``httpx.AsyncClient`` that was given."""
        if self._owns_http:
            await self._http.aclose()

    async def _opened(self, call: Call) -> tuple[AbstractAsyncContextManager[Any], AsyncHttpAnswer]:
        tried = 0
        while True:
            tried += 1
            opened = self._request(call)
            try:
                return opened, await self._accept(opened)
            except (KeepsakeRequestError, KeepsakeConnectionError) as error:
                wait = self._retries.wait_before(tried, call, error)
                if wait is None:
                    raise
                await asyncio.sleep(wait)

    def _request(self, call: Call) -> AbstractAsyncContextManager[Any]:
        headers = dict(call.headers)
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        content = call.content
        sent = content if content is None or isinstance(content, bytes) else _pieces(content)
        return self._http.stream(call.method, self._base_url + call.target, content=sent, headers=headers)

    async def _accept(self, opened: AbstractAsyncContextManager[Any]) -> AsyncHttpAnswer:
        try:
            answer: AsyncHttpAnswer = await opened.__aenter__()
        except (self._httpx.ConnectError, self._httpx.ConnectTimeout) as cause:
            raise NotSentError(f"{self._base_url} cannot be reached: {_words(cause)}.") from cause
        except self._httpx.TransportError as cause:
            raise KeepsakeConnectionError(f"No answer from {self._base_url}: {_words(cause)}.") from cause
        if 200 <= answer.status_code < 300:
            return answer
        body = await answer.aread()
        await opened.__aexit__(None, None, None)
        raise refusal(answer.status_code, answer.headers.get("retry-after"), body)


class AsyncCaller:
    """Calls routes of one server, about one person where a scope is given."""

    def __init__(self, connection: AsyncConnection, scope: Scope | None) -> None:
        self._connection = connection
        self._scope = scope

    async def _json(self, call: Call) -> Any:
        async with self._connection.open(call.about(self._scope)) as answer:
            return parsed(answer.status_code, await answer.aread())

    async def _events(self, call: Call) -> AsyncGenerator[Any, None]:
        reader = EventReader()
        async with self._connection.open(call.about(self._scope).accepting(EVENTS)) as answer:
            async for piece in answer.aiter_bytes():
                for event in reader.feed(piece):
                    yield told(event)

    async def _reply(self, call: Call) -> AsyncGenerator[Any, None]:
        reader = EventReader()
        async with self._connection.open(call.about(self._scope).accepting(EVENTS)) as answer:
            async for piece in answer.aiter_bytes():
                for event in reader.feed(piece):
                    yield told_of_reply(event)
                    if event.event == "end":
                        return
        raise broken_off()

    async def _lines(self, call: Call) -> AsyncGenerator[str, None]:
        reader = LineReader(ends_by_return=False)
        async with self._connection.open(call.about(self._scope).accepting(LINES)) as answer:
            async for piece in answer.aiter_bytes():
                for line in reader.feed(piece):
                    yield line
            for line in reader.end():
                yield line

    async def _pages(self, call: Call, field: str) -> AsyncGenerator[Any, None]:
        while True:
            page = await self._json(call)
            for item in page[field]:
                yield item
            if page["next"] is None:
                return
            call = call.after(page["next"])


async def _pieces(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _load_httpx() -> Any:
    try:
        return import_module("httpx")
    except ModuleNotFoundError as cause:
        message = "AsyncKeepsake needs httpx: pip install 'keepsake-client[async]', or use Keepsake, which needs nothing."
        raise ModuleNotFoundError(message, name="httpx") from cause


def _words(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__

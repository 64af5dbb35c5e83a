"""Calls routes with ``await``, over httpx. The package httpx is imported when the first client is made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Any, Protocol

from ._call import Call, Scope
from ._caller import EVENTS, LINES, broken_off, parse_event, parse_reply_event
from ._connection import parsed, refusal
from ._retries import NotSentError, Retries
from ._streams import EventReader, LineReader
from .errors import KeepsakeConnectionError, KeepsakeRequestError


class AsyncHttpAnswer(Protocol):
    """The parts of an ``httpx.Response`` that are read."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    async def aread(self) -> bytes: ...
    def aiter_bytes(self) -> AsyncIterator[bytes]: ...


class AsyncHttp(Protocol):
    """The methods of an ``httpx.AsyncClient`` that are called."""

    def stream(
        self, method: str, url: str, *, content: Any = ..., headers: Any = ...
    ) -> AbstractAsyncContextManager[Any]: ...
    async def aclose(self) -> None: ...


class AsyncConnection:
    """The connections to one server."""

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
        """Sends a call and yields the answer, before its body is read."""
        call = call.with_key() if self._retries.limit > 0 else call
        request, answer = await self._send(call)
        try:
            yield answer
        except self._httpx.TransportError as cause:
            raise KeepsakeConnectionError(f"The answer broke off: {_words(cause)}.") from cause
        finally:
            await request.__aexit__(None, None, None)

    async def close(self) -> None:
        """Closes the connections. An ``httpx.AsyncClient`` of the application stays open."""
        if self._owns_http:
            await self._http.aclose()

    async def _send(self, call: Call) -> tuple[AbstractAsyncContextManager[Any], AsyncHttpAnswer]:
        tries = 0
        while True:
            tries += 1
            request = self._request(call)
            try:
                return request, await self._accept(request)
            except (KeepsakeRequestError, KeepsakeConnectionError) as error:
                wait = self._retries.wait_before(tries, call, error)
                if wait is None:
                    raise
                await asyncio.sleep(wait)

    def _request(self, call: Call) -> AbstractAsyncContextManager[Any]:
        headers = dict(call.headers)
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        content = call.content
        body = content if content is None or isinstance(content, bytes) else _pieces(content)
        return self._http.stream(call.method, self._base_url + call.target, content=body, headers=headers)

    async def _accept(self, request: AbstractAsyncContextManager[Any]) -> AsyncHttpAnswer:
        try:
            answer: AsyncHttpAnswer = await request.__aenter__()
        except (self._httpx.ConnectError, self._httpx.ConnectTimeout) as cause:
            raise NotSentError(f"{self._base_url} cannot be reached: {_words(cause)}.") from cause
        except self._httpx.TransportError as cause:
            raise KeepsakeConnectionError(f"No answer from {self._base_url}: {_words(cause)}.") from cause
        if 200 <= answer.status_code < 300:
            return answer
        body = await answer.aread()
        await request.__aexit__(None, None, None)
        raise refusal(answer.status_code, answer.headers.get("retry-after"), body)


class AsyncCaller:
    """Calls routes of one server; with a scope, those about its user."""

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
                    yield parse_event(event)

    async def _reply(self, call: Call) -> AsyncGenerator[Any, None]:
        reader = EventReader()
        async with self._connection.open(call.about(self._scope).accepting(EVENTS)) as answer:
            async for piece in answer.aiter_bytes():
                for event in reader.feed(piece):
                    yield parse_reply_event(event)
                    if event.event == "end":
                        return
        raise broken_off()

    async def _lines(self, call: Call) -> AsyncGenerator[str, None]:
        reader = LineReader(splits_at_returns=False)
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

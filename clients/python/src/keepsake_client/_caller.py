"""Calls routes, and reads answers in JSON, in streams and in pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ._call import Call, Scope
from ._connection import Answer, Connection, parsed
from ._streams import EventReader, LineReader, ServerSentEvent
from .errors import KeepsakeConnectionError, KeepsakeRequestError, problem_in

Item = TypeVar("Item")

EVENTS = "text/event-stream"
LINES = "application/x-ndjson"


class Stream(Iterator[Item], Generic[Item]):
    """Yields the items of an answer as they arrive, until its end or until it is closed; ``with`` closes it."""

    def __init__(self, answer: Answer, read: Callable[[Iterable[bytes]], Iterator[Item]]) -> None:
        self._answer = answer
        self._items = read(answer.pieces())

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def close(self) -> None:
        """Ends the stream. The server then stops sending."""
        self._answer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Caller:
    """Calls routes of one server; with a scope, those about its user."""

    def __init__(self, connection: Connection, scope: Scope | None) -> None:
        self._connection = connection
        self._scope = scope

    def _json(self, call: Call) -> Any:
        answer = self._connection.open(call.about(self._scope))
        return parsed(answer.status, answer.read())

    def _events(self, call: Call) -> Stream[Any]:
        return self._stream(call, EVENTS, events_in)

    def _reply(self, call: Call) -> Stream[Any]:
        return self._stream(call, EVENTS, reply_in)

    def _lines(self, call: Call) -> Stream[str]:
        return self._stream(call, LINES, lines_in)

    def _pages(self, call: Call, field: str) -> Iterator[Any]:
        while True:
            page = self._json(call)
            yield from page[field]
            if page["next"] is None:
                return
            call = call.after(page["next"])

    def _stream(
        self, call: Call, media: str, read: Callable[[Iterable[bytes]], Iterator[Item]]
    ) -> Stream[Item]:
        return Stream(self._connection.open(call.about(self._scope).accepting(media)), read)


def parse_event(event: ServerSentEvent) -> dict[str, Any]:
    """Parses an event to the form of the server's description."""
    return {"event": event.event, "data": json.loads(event.data)}


def parse_reply_event(event: ServerSentEvent) -> dict[str, Any]:
    """Parses an event of a reply. Raises an event that reports an error."""
    parsed_event = parse_event(event)
    problem = problem_in(parsed_event["data"]) if event.event == "error" else None
    if problem is not None:
        raise KeepsakeRequestError(problem["status"], problem)
    return parsed_event


def broken_off() -> KeepsakeConnectionError:
    """Returns the error for a reply without an end."""
    return KeepsakeConnectionError("The reply broke off before its end.")


def events_in(pieces: Iterable[bytes]) -> Iterator[Any]:
    """Yields the events of a stream."""
    reader = EventReader()
    for piece in pieces:
        yield from map(parse_event, reader.feed(piece))


def reply_in(pieces: Iterable[bytes]) -> Iterator[Any]:
    """Yields the events of a reply, up to its end."""
    reader = EventReader()
    for piece in pieces:
        for event in reader.feed(piece):
            yield parse_reply_event(event)
            if event.event == "end":
                return
    raise broken_off()


def lines_in(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yields the lines of a stream."""
    reader = LineReader(splits_at_returns=False)
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.end()

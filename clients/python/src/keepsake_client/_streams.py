"""Reads lines and server-sent events from a stream, wherever the stream is cut into pieces."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple


class ServerSentEvent(NamedTuple):
    """An event of a stream, by its name."""

    event: str
    data: str


class LineReader:
    """Joins pieces of bytes and splits them into lines.

    ``\\n`` ends a line. The specification of server-sent events also ends lines at ``\\r\\n`` and ``\\r`` (`splits_at_returns`).
    """

    def __init__(self, *, splits_at_returns: bool) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._splits_at_returns = splits_at_returns
        self._rest = ""

    def feed(self, piece: bytes) -> Iterator[str]:
        """Yields the lines that this piece completes."""
        text = self._rest + self._decoder.decode(piece)
        # A carriage return at the end is read with the next piece, because it may be the first half of a line end.
        last_return = "\r" if self._splits_at_returns and text.endswith("\r") else ""
        lines = self._split(text.removesuffix(last_return))
        self._rest = lines.pop() + last_return
        yield from lines

    def end(self) -> Iterator[str]:
        """Yields the lines that are left at the end of the stream. The last one is left out if it is empty."""
        lines = self._split(self._rest + self._decoder.decode(b"", final=True))
        self._rest = ""
        yield from lines if lines[-1] else lines[:-1]

    def _split(self, text: str) -> list[str]:
        if self._splits_at_returns:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.split("\n")


class EventReader:
    """Joins pieces of bytes and reads events. Skips comments, whose field is empty, and an event without its end, an empty line."""

    def __init__(self) -> None:
        self._lines = LineReader(splits_at_returns=True)
        self._event = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[ServerSentEvent]:
        """Yields the events that this piece completes."""
        for line in self._lines.feed(piece):
            yield from self._read_line(line)

    def _read_line(self, line: str) -> Iterator[ServerSentEvent]:
        if line == "":
            if self._data:
                yield ServerSentEvent(self._event or "message", "\n".join(self._data))
            self._event, self._data = "", []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)

"""Streams as they come: lines and server-sent events, however their bytes are cut."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple


class ServerSentEvent(NamedTuple):
    """An event of a stream, by its name."""

    event: str
    data: str


class LineReader:
    """Puts lines together from pieces of bytes.

    ``\\n`` ends one, and for events (`ends_by_return`) ``\\r\\n`` and ``\\r`` as well.
    """

    def __init__(self, *, ends_by_return: bool) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._ends_by_return = ends_by_return
        self._rest = ""

    def feed(self, piece: bytes) -> Iterator[str]:
        """The lines that are whole with this piece."""
        text = self._rest + self._decoder.decode(piece)
        # A carriage return at the end may be half of a line's end.
        held = "\r" if self._ends_by_return and text.endswith("\r") else ""
        lines = self._split(text.removesuffix(held) if held else text)
        self._rest = lines.pop() + held
        yield from lines

    def end(self) -> Iterator[str]:
        """What is left at the stream's end, when it is a line."""
        lines = self._split(self._rest + self._decoder.decode(b"", final=True))
        self._rest = ""
        yield from (line for at, line in enumerate(lines) if line or at < len(lines) - 1)

    def _split(self, text: str) -> list[str]:
        if self._ends_by_return:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.split("\n")


class EventReader:
    """Puts events together from pieces of bytes. Comments are left out, and so is an event that the stream's end cuts off."""

    def __init__(self) -> None:
        self._lines = LineReader(ends_by_return=True)
        self._event = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[ServerSentEvent]:
        """The events that are whole with this piece."""
        for line in self._lines.feed(piece):
            yield from self._take(line)

    def _take(self, line: str) -> Iterator[ServerSentEvent]:
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

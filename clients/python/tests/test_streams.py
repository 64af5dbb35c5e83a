"""Streams, however their bytes are cut."""

from __future__ import annotations

import unittest

from keepsake_client._streams import EventReader, LineReader

EVENTS = (
    ': open\n\nevent: text\r\ndata: {"text":"你好 🐝"}\r\n\r\nid: 7\nretry: 5\ndata:two\ndata: lines\n\n\n'
    ": beat\n\nevent: none\n\rdata: cr\r\revent: cut off\ndata: x"
).encode()
WANTED = [("text", '{"text":"你好 🐝"}'), ("message", "two\nlines"), ("message", "cr")]


class Events(unittest.TestCase):
    def test_are_the_same_however_the_bytes_are_cut(self) -> None:
        for size in range(1, len(EVENTS) + 1):
            reader = EventReader()
            cut = (EVENTS[at : at + size] for at in range(0, len(EVENTS), size))
            self.assertEqual([tuple(event) for piece in cut for event in reader.feed(piece)], WANTED)


class Lines(unittest.TestCase):
    def test_are_the_same_however_the_bytes_are_cut(self) -> None:
        text = "eins\n\nzwei\r\n三\nlast".encode()
        for size in range(1, len(text) + 1):
            reader = LineReader(splits_at_returns=False)
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            lines = [line for piece in pieces for line in reader.feed(piece)] + list(reader.end())
            self.assertEqual(lines, ["eins", "", "zwei\r", "三", "last"])

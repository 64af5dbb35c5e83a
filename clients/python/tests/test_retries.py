"""What is made again, and what is not: against servers that fail as they are told."""

from __future__ import annotations

import json
import time
import unittest
from http.server import BaseHTTPRequestHandler

from keepsake_client import Keepsake, KeepsakeConnectionError, KeepsakeRequestError, ScopedMemory

from .servers import FailingServer, hang_up, say

REMEMBERED = json.dumps({"turns": ["t"], "added": 1, "session": "s", "lastOperation": 1, "maskedSecrets": []}).encode()
BUSY = json.dumps({"code": "busy", "detail": "Not now.", "title": "", "type": "", "status": 503}).encode()


def remember(ana: ScopedMemory) -> int:
    return ana.remember({"role": "user", "text": "I keep bees."})["added"]


def busy_first(handler: BaseHTTPRequestHandler, number: int) -> None:
    if number == 1:
        say(handler, 503, BUSY, {"Retry-After": "0"})
    else:
        say(handler, 201, REMEMBERED)


def silent_first(handler: BaseHTTPRequestHandler, number: int) -> None:
    if number == 1:
        hang_up(handler)
    else:
        say(handler, 201, REMEMBERED)


class Retries(unittest.TestCase):
    def test_a_server_that_is_busy_is_asked_again_under_the_same_key(self) -> None:
        with FailingServer(busy_first) as server, Keepsake(server.url, "ks_key") as keepsake:
            self.assertEqual(remember(keepsake.scope("ana")), 1)
            self.assertEqual(len(server.asked), 2)
            self.assertIsNotNone(server.asked[0].key)
            self.assertEqual(server.asked[0].key, server.asked[1].key)
            self.assertEqual(server.asked[0].body, server.asked[1].body)
            self.assertEqual(server.asked[1].authorization, "Bearer ks_key")

    def test_what_was_not_answered_is_sent_again_under_the_same_key(self) -> None:
        with FailingServer(silent_first) as server, Keepsake(server.url) as keepsake:
            self.assertEqual(remember(keepsake.scope("ana")), 1)
            self.assertEqual([asked.key for asked in server.asked], [server.asked[0].key] * 2)

    def test_another_call_has_another_key(self) -> None:
        with FailingServer(lambda handler, _: say(handler, 201, REMEMBERED)) as server, Keepsake(server.url) as keepsake:
            for _ in range(2):
                remember(keepsake.scope("ana"))
            self.assertEqual(len({asked.key for asked in server.asked}), 2)

    def test_a_reply_that_was_not_answered_is_not_sent_again(self) -> None:
        with FailingServer(silent_first) as server, Keepsake(server.url) as keepsake:
            with self.assertRaises(KeepsakeConnectionError):
                keepsake.scope("ana").reply({"role": "user", "text": "Hm?"})
            self.assertEqual(len(server.asked), 1)

    def test_without_retries_nothing_is_made_again_and_no_key_is_made(self) -> None:
        with FailingServer(busy_first) as server, Keepsake(server.url, retries=0) as keepsake:
            with self.assertRaises(KeepsakeRequestError) as caught:
                remember(keepsake.scope("ana"))
            self.assertEqual((caught.exception.status, caught.exception.retry_after), (503, 0))
            self.assertEqual([asked.key for asked in server.asked], [None])

    def test_what_is_refused_for_good_is_not_made_again(self) -> None:
        with FailingServer(lambda handler, _: say(handler, 422, BUSY)) as server, Keepsake(server.url) as keepsake:
            with self.assertRaises(KeepsakeRequestError):
                remember(keepsake.scope("ana"))
            self.assertEqual(len(server.asked), 1)

    def test_a_long_wait_is_left_to_the_application(self) -> None:
        later = {"Retry-After": "3600"}
        with FailingServer(lambda handler, _: say(handler, 429, BUSY, later)) as server, Keepsake(server.url) as keepsake:
            with self.assertRaises(KeepsakeRequestError) as caught:
                remember(keepsake.scope("ana"))
            self.assertEqual((caught.exception.retry_after, len(server.asked)), (3600, 1))

    def test_a_server_that_is_not_there_is_told_of(self) -> None:
        with FailingServer(busy_first) as server:
            url = server.url
        with self.assertRaisesRegex(KeepsakeConnectionError, "cannot be reached"):
            remember(Keepsake(url).scope("ana"))


class Answers(unittest.TestCase):
    def keepsake(self, url: str, key: str | None = None, *, retries: int = 2, timeout: float = 60) -> Keepsake:
        """Closed when the test has ended."""
        made = Keepsake(url, key, retries=retries, timeout=timeout)
        self.addCleanup(made.close)
        return made

    def test_of_something_that_is_no_keepsake_are_errors(self) -> None:
        page = b"<h1>Bad gateway</h1>"
        with FailingServer(lambda handler, _: say(handler, 500, page, {"Retry-After": "7"})) as server:
            with self.assertRaises(KeepsakeRequestError) as caught:
                self.keepsake(server.url).scope("ana").recall("x")
        self.assertEqual((caught.exception.status, caught.exception.code), (500, "unknown"))
        self.assertEqual(caught.exception.retry_after, 7)

    def test_that_are_no_json_are_errors(self) -> None:
        with FailingServer(lambda handler, _: say(handler, 200, b"<h1>Hello</h1>")) as server:
            with self.assertRaises(KeepsakeRequestError) as caught:
                self.keepsake(server.url).scope("ana").recall("x")
        self.assertEqual(caught.exception.code, "unknown")

    def test_that_lead_elsewhere_are_not_followed_with_the_key(self) -> None:
        def elsewhere(handler: BaseHTTPRequestHandler, _: int) -> None:
            say(handler, 302, b"", {"Location": "http://127.0.0.1:9/"})

        with FailingServer(elsewhere) as server, self.assertRaises(KeepsakeRequestError) as caught:
            self.keepsake(server.url, "ks_key").scope("ana").recall("x")
        self.assertEqual(caught.exception.status, 302)

    def test_that_break_off_are_told_of(self) -> None:
        def half(handler: BaseHTTPRequestHandler, _: int) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", "500")
            handler.end_headers()
            handler.wfile.write(b'{"question":')
            hang_up(handler)

        with FailingServer(half) as server, self.assertRaises(KeepsakeConnectionError):
            self.keepsake(server.url, retries=0).scope("ana").recall("x")

    def test_a_reply_that_breaks_off_is_told_of(self) -> None:
        events = b'event: text\ndata: {"text":"half"}\n\nevent: te'
        with FailingServer(lambda handler, _: say(handler, 200, events)) as server:
            heard = self.keepsake(server.url).scope("ana").reply_stream({"role": "user", "text": "x"})
            self.assertEqual(next(heard)["event"], "text")
            with self.assertRaisesRegex(KeepsakeConnectionError, "broke off"):
                next(heard)

    def test_a_reply_that_fails_on_its_way_raises_what_the_server_said(self) -> None:
        problem = b'{"type":"","title":"","status":502,"detail":"The model is down.","code":"model-failed","request":"r"}'
        with FailingServer(lambda handler, _: say(handler, 200, b"event: error\ndata: " + problem + b"\n\n")) as server:
            with self.assertRaises(KeepsakeRequestError) as caught:
                list(self.keepsake(server.url).scope("ana").reply_stream({"role": "user", "text": "x"}))
        self.assertEqual((caught.exception.status, caught.exception.code), (502, "model-failed"))

    def test_that_never_come_end_by_the_time_limit(self) -> None:
        with FailingServer(lambda handler, _: time.sleep(2)) as server:
            started = time.monotonic()
            with self.assertRaises(KeepsakeConnectionError):
                self.keepsake(server.url, retries=0, timeout=0.2).scope("ana").recall("x")
            self.assertLess(time.monotonic() - started, 1.5)


class Connections(unittest.TestCase):
    def test_are_kept_and_one_that_the_server_closed_meanwhile_is_made_anew(self) -> None:
        ports: list[int] = []

        def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
            ports.append(handler.client_address[1])
            if number == 3:
                hang_up(handler)
            else:
                say(handler, 201, REMEMBERED)

        with FailingServer(answer) as server, Keepsake(server.url, retries=0) as keepsake:
            ana = keepsake.scope("ana")
            remember(ana)
            remember(ana)
            self.assertEqual(ports[0], ports[1])
            remember(ana)
            self.assertEqual(ports[2], ports[0])
            self.assertNotEqual(ports[3], ports[0])

"""Servers that the tests talk to: Keepsake's own, by the environment, and small ones that fail as they are told."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from uuid import uuid4

from keepsake_client import Keepsake, ScopedMemory

URL = os.environ["KEEPSAKE_URL"]
"""A server without keys, whose model answers every talk in the same words."""

LOCKED_URL = os.environ["KEEPSAKE_LOCKED_URL"]
"""A server with keys and without a model."""

READ_KEY = os.environ["KEEPSAKE_READ_KEY"]


def someone(keepsake: Keepsake) -> ScopedMemory:
    """A person whom no other test knows."""
    return keepsake.scope(f"someone-{uuid4()}")


class Asked:
    """A request as a failing server saw it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.method = handler.command
        self.key = handler.headers.get("Idempotency-Key")
        self.authorization = handler.headers.get("Authorization")
        self.body = body


Answering = Callable[[BaseHTTPRequestHandler, int], None]


class FailingServer:
    """Answers as it is told: by the request's number, from 1."""

    def __init__(self, answer: Answering) -> None:
        self.asked: list[Asked] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked.append(Asked(self, body))
                answer(self, len(asked))

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_any

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def say(
    handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", headers: dict[str, str] | None = None
) -> None:
    """Answers a request."""
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection without a word."""
    handler.close_connection = True
    handler.connection.close()

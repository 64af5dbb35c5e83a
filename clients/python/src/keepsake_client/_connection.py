"""Requests over the standard library's HTTP, with connections that are kept and calls that are made again."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from ._call import Call
from ._retries import NotSentError, Retries
from .errors import KeepsakeConnectionError, KeepsakeRequestError, problem_in

PIECE: Final = 65_536
"""Bytes that a stream is read in at most."""


class Answer:
    """What a server says to a call, as it comes."""

    def __init__(self, connection: Connection, http: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self._http = http
        self._response = response
        self._closed = False

    @property
    def status(self) -> int:
        """Its HTTP status."""
        return self._response.status

    def header(self, name: str) -> str | None:
        """A header by its name, in any case."""
        return self._response.getheader(name)

    def read(self) -> bytes:
        """All of its body."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """Its body, as it comes."""
        try:
            while piece := self._response.read1(PIECE):
                yield piece
            if self._response.length:
                raise KeepsakeConnectionError("The answer broke off before its end.")
        except (OSError, HTTPException, ValueError) as cause:
            raise KeepsakeConnectionError(f"The answer broke off: {_words(cause)}.") from cause
        finally:
            self.close()

    def close(self) -> None:
        """Lets go of it: a connection whose answer was read to its end is kept for the next call."""
        if self._closed:
            # Another call may have its connection by now.
            return
        self._closed = True
        whole = self._response.isclosed() or self._response.length == 0
        self._response.close()
        self._connection.let_go(self._http, keep=whole and not self._response.will_close)


class Connection:
    """Where a server is, and how it is asked. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        *,
        retries: int,
        timeout: float,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or address.hostname is None:
            raise ValueError(f"{base_url!r} is no address of a server: give one such as http://127.0.0.1:4150")
        self._secure = address.scheme == "https"
        self._host = address.hostname
        self._port = address.port
        self._prefix = address.path.rstrip("/")
        self._key = key
        self._retries = Retries(retries)
        self._timeout = timeout
        self._ssl = ssl_context
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()
        self._closed = False

    def open(self, call: Call) -> Answer:
        """The answer to a call, its body unread.

        Raises:
            KeepsakeRequestError: the server refused, or failed.
            KeepsakeConnectionError: it could not be reached, or did not answer in time.
        """
        call = call.keyed() if self._retries.most > 0 else call
        tried = 0
        while True:
            tried += 1
            try:
                return self._accept(self._send(call))
            except (KeepsakeRequestError, KeepsakeConnectionError) as error:
                wait = self._retries.wait_before(tried, call, error)
                if wait is None:
                    raise
                time.sleep(wait)

    def close(self) -> None:
        """Closes the connections that wait; those under way close when they end."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for http in idle:
            http.close()

    def let_go(self, http: HTTPConnection, *, keep: bool) -> None:
        """Takes a connection back, to be used again or not."""
        with self._lock:
            if keep and not self._closed:
                self._idle.append(http)
                return
        http.close()

    def _send(self, call: Call) -> Answer:
        # A server may close a connection that waits, in the moment in which something is sent on it: what cannot be sent
        # again goes over a new one.
        http = self._waiting() if call.repeatable else None
        kept = http is not None
        if http is None:
            http = self._connect()
        try:
            self._request(http, call)
            response = http.getresponse()
        except (OSError, HTTPException) as cause:
            http.close()
            if kept and not isinstance(cause, TimeoutError):
                return self._send_anew(call)
            raise KeepsakeConnectionError(f"No answer from {self._place}: {_words(cause)}.") from cause
        return Answer(self, http, response)

    def _send_anew(self, call: Call) -> Answer:
        with self._lock:
            idle, self._idle = self._idle, []
        for http in idle:
            http.close()
        return self._send(call)

    def _request(self, http: HTTPConnection, call: Call) -> None:
        content = call.content
        headers = dict(call.headers)
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        if content is not None and not isinstance(content, bytes):
            headers["Transfer-Encoding"] = "chunked"
        http.request(call.method, self._prefix + call.target, content, headers, encode_chunked=True)

    def _waiting(self) -> HTTPConnection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _connect(self) -> HTTPConnection:
        if self._closed:
            raise KeepsakeConnectionError("The client is closed: make another one.")
        if self._secure:
            http = HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._ssl)
        else:
            http = HTTPConnection(self._host, self._port, timeout=self._timeout)
        try:
            http.connect()
        except (OSError, HTTPException) as cause:
            http.close()
            raise NotSentError(f"{self._place} cannot be reached: {_words(cause)}.") from cause
        return http

    @property
    def _place(self) -> str:
        port = "" if self._port is None else f":{self._port}"
        return f"{'https' if self._secure else 'http'}://{self._host}{port}"

    @staticmethod
    def _accept(answer: Answer) -> Answer:
        if 200 <= answer.status < 300:
            return answer
        raise refusal(answer.status, answer.header("Retry-After"), answer.read())


def refusal(status: int, retry_after: str | None, body: bytes) -> KeepsakeRequestError:
    """What an answer that is none says."""
    try:
        problem = problem_in(json.loads(body))
    except ValueError:
        problem = None
    try:
        wait = None if retry_after is None else float(retry_after)
    except ValueError:
        # A date: such an answer is a gateway's.
        wait = None
    return KeepsakeRequestError(status, problem, wait)


def parsed(status: int, body: bytes) -> object:
    """The JSON of an answer."""
    try:
        return json.loads(body)
    except ValueError as cause:
        raise KeepsakeRequestError(status, None) from cause


def _words(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__

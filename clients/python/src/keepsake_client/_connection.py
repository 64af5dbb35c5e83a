"""Sends calls with the standard library's HTTP client, reuses connections, and repeats failed calls."""

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

MAX_PIECE: Final = 65_536
"""Maximum of bytes that one read of a stream returns."""


class Answer:
    """The server's answer to a call. Its body is read as it arrives."""

    def __init__(self, connection: Connection, http: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self._http = http
        self._response = response
        self._closed = False

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self._response.status

    def header(self, name: str) -> str | None:
        """Returns a header. Upper and lower case of its name do not matter."""
        return self._response.getheader(name)

    def read(self) -> bytes:
        """Reads the whole body."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """Yields the body in pieces, as they arrive."""
        try:
            while piece := self._response.read1(MAX_PIECE):
                yield piece
            if self._response.length:
                raise KeepsakeConnectionError("The answer broke off before its end.")
        except (OSError, HTTPException, ValueError) as cause:
            raise KeepsakeConnectionError(f"The answer broke off: {_words(cause)}.") from cause
        finally:
            self.close()

    def close(self) -> None:
        """Closes the answer. If it was read to its end, the next call reuses its connection."""
        if self._closed:
            # Another call may already use the connection.
            return
        self._closed = True
        is_complete = self._response.isclosed() or self._response.length == 0
        self._response.close()
        self._connection.release(self._http, reuse=is_complete and not self._response.will_close)


class Connection:
    """The connections to one server. Threads may share an instance."""

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
        """Sends a call and returns the answer, before its body is read.

        Raises:
            KeepsakeRequestError: the server refused the call, or failed.
            KeepsakeConnectionError: the server could not be reached, or did not answer in time.
        """
        call = call.with_key() if self._retries.limit > 0 else call
        tries = 0
        while True:
            tries += 1
            try:
                return self._raise_for_status(self._send(call))
            except (KeepsakeRequestError, KeepsakeConnectionError) as error:
                wait = self._retries.wait_before(tries, call, error)
                if wait is None:
                    raise
                time.sleep(wait)

    def close(self) -> None:
        """Closes the idle connections. Connections in use close when their answers end."""
        with self._lock:
            self._closed = True
        self._close_idle()

    def release(self, http: HTTPConnection, *, reuse: bool) -> None:
        """Takes a connection back from an answer, and keeps it for the next call or closes it."""
        with self._lock:
            if reuse and not self._closed:
                self._idle.append(http)
                return
        http.close()

    def _send(self, call: Call) -> Answer:
        # The server may close an idle connection just when a call is sent on it. Then it is unknown whether the call was
        # received, so a call that must not be repeated gets a new connection.
        idle = self._take_idle() if call.repeatable else None
        if idle is not None:
            try:
                return self._exchange(idle, call)
            except TimeoutError as cause:
                raise self._no_answer(cause) from cause
            except (OSError, HTTPException):
                # The server has probably closed its other idle connections too.
                self._close_idle()
        try:
            return self._exchange(self._connect(), call)
        except (OSError, HTTPException) as cause:
            raise self._no_answer(cause) from cause

    def _exchange(self, http: HTTPConnection, call: Call) -> Answer:
        try:
            self._request(http, call)
            return Answer(self, http, http.getresponse())
        except (OSError, HTTPException):
            http.close()
            raise

    def _no_answer(self, cause: BaseException) -> KeepsakeConnectionError:
        return KeepsakeConnectionError(f"No answer from {self._place}: {_words(cause)}.")

    def _take_idle(self) -> HTTPConnection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for http in idle:
            http.close()

    def _request(self, http: HTTPConnection, call: Call) -> None:
        content = call.content
        headers = dict(call.headers)
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        if content is not None and not isinstance(content, bytes):
            headers["Transfer-Encoding"] = "chunked"
        http.request(call.method, self._prefix + call.target, content, headers, encode_chunked=True)

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
    def _raise_for_status(answer: Answer) -> Answer:
        if 200 <= answer.status < 300:
            return answer
        raise refusal(answer.status, answer.header("Retry-After"), answer.read())


def refusal(status: int, retry_after: str | None, body: bytes) -> KeepsakeRequestError:
    """Converts an error answer of the server to an exception."""
    try:
        problem = problem_in(json.loads(body))
    except ValueError:
        problem = None
    try:
        wait = None if retry_after is None else float(retry_after)
    except ValueError:
        # Only gateways send a date here. The client then waits as usual.
        wait = None
    return KeepsakeRequestError(status, problem, wait)


def parsed(status: int, body: bytes) -> object:
    """Parses the JSON of an answer."""
    try:
        return json.loads(body)
    except ValueError as cause:
        raise KeepsakeRequestError(status, None) from cause


def _words(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__

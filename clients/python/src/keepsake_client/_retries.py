"""Decides whether a failed call is repeated, and after how many seconds. It sends nothing itself."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ._call import Call
from .errors import KeepsakeConnectionError, KeepsakeError, KeepsakeRequestError

MAX_WAIT = 30.0
"""Seconds. If a server asks for a longer wait, the error is raised and the application decides."""

FIRST_WAIT = 0.25
"""Seconds before the first repetition, on average. The wait is random, so that clients do not repeat at once, and doubles each time."""


class NotSentError(KeepsakeConnectionError):
    """There was no connection and nothing was sent, so every call may be repeated."""


@dataclass(frozen=True)
class Retries:
    """The maximum number of repetitions of a call."""

    limit: int

    def wait_before(self, tries: int, call: Call, error: KeepsakeError) -> float | None:
        """Returns the seconds until the next try, or ``None`` if the error is raised instead.

        Args:
            tries: The number of times that the call was sent.
            call: The call that failed.
            error: The error of the last try.
        """
        if tries > self.limit or not _may_repeat(call, error):
            return None
        retry_after = error.retry_after if isinstance(error, KeepsakeRequestError) else None
        wait = FIRST_WAIT * 2 ** (tries - 1) * random.uniform(0.75, 1.25) if retry_after is None else retry_after
        return wait if wait <= MAX_WAIT else None


def _may_repeat(call: Call, error: KeepsakeError) -> bool:
    is_stream = call.lines is not None and not isinstance(call.lines, (str, bytes))
    if is_stream:
        # The first try has used up the caller's iterator.
        return False
    if isinstance(error, KeepsakeRequestError):
        if error.status == 429:
            # The rate limit refused the call before the server began it.
            return True
        is_busy = error.status in (408, 502, 503, 504) or error.code == "idempotency-busy"
        return call.repeatable and is_busy
    return isinstance(error, NotSentError) or (isinstance(error, KeepsakeConnectionError) and call.repeatable)

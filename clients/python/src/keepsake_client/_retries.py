"""Whether a call that failed is made again, and when: values in, values out."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ._call import Call
from .errors import KeepsakeConnectionError, KeepsakeError, KeepsakeRequestError

LONGEST_WAIT = 30.0
"""Seconds. What is to be tried later than this is the application's to try."""

FIRST_WAIT = 0.25
"""Seconds before the second try, doubled for each one after it."""


class NotSentError(KeepsakeConnectionError):
    """No connection: nothing was sent, so that any call may be made again."""


@dataclass(frozen=True)
class Retries:
    """How often a call is made again at most."""

    most: int

    def wait_before(self, tried: int, call: Call, error: KeepsakeError) -> float | None:
        """Seconds until the next try; ``None``: there is none, and the error is told.

        Args:
            tried: How often the call was made.
            call: What was asked.
            error: What came of it.
        """
        if tried > self.most or not _may_repeat(call, error):
            return None
        told = error.retry_after if isinstance(error, KeepsakeRequestError) else None
        wait = FIRST_WAIT * 2 ** (tried - 1) * random.uniform(0.75, 1.25) if told is None else told
        return wait if wait <= LONGEST_WAIT else None


def _may_repeat(call: Call, error: KeepsakeError) -> bool:
    if call.lines is not None and not isinstance(call.lines, (str, bytes)):
        # Pieces were read as they were sent.
        return False
    if isinstance(error, KeepsakeRequestError):
        # What was refused for its number was not begun.
        if error.status == 429:
            return True
        busy = error.status in (408, 502, 503, 504) or error.code == "idempotency-busy"
        return call.repeatable and busy
    return isinstance(error, NotSentError) or (isinstance(error, KeepsakeConnectionError) and call.repeatable)

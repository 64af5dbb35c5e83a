"""The errors of calls: the server was not reached, or it refused or failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .models import Problem, ProblemFieldsItem


class KeepsakeError(Exception):
    """Any failure of a call."""


class KeepsakeConnectionError(KeepsakeError):
    """The server could not be reached, did not answer in time, or broke off."""


class KeepsakeRequestError(KeepsakeError):
    """The server refused a request, or failed. The message says what happened and what to do.

    Attributes:
        status: The HTTP status; in a stream, the status of the reported problem.
        code: A code for programs: ``invalid-input``, ``forbidden``, ``not-found``, …; ``unknown`` for an answer that is not Keepsake's.
        detail: What is wrong and what to do.
        fields: The invalid fields, each with the reason.
        request: The request's id, as in the server's log; ``None`` for an answer that is not Keepsake's.
        retry_after: Seconds after which the same request may succeed; ``None`` when the server gives none.
        problem: The server's report of the error; ``None`` for an answer that is not Keepsake's.
    """

    def __init__(self, status: int, problem: Problem | None, retry_after: float | None = None) -> None:
        unexplained = f"The server answered with status {status} and nothing that explains it."
        self.status = status
        self.problem = problem
        self.retry_after = retry_after
        self.code = "unknown" if problem is None else problem["code"]
        self.detail = unexplained if problem is None else problem["detail"]
        self.request = None if problem is None else problem.get("request")
        self.fields: list[ProblemFieldsItem] = [] if problem is None else problem.get("fields", [])
        super().__init__(self.detail)


def problem_in(value: object) -> Problem | None:
    """Returns the problem that an answer contains, or ``None`` for another answer."""
    if isinstance(value, dict) and "code" in value and "detail" in value:
        return cast("Problem", value)
    return None

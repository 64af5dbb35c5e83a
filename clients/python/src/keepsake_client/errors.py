"""What can go wrong: the server was not reached, or it refused or failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .models import Problem, ProblemFieldsItem


class KeepsakeError(Exception):
    """Any failure of a call."""


class KeepsakeConnectionError(KeepsakeError):
    """The server could not be reached, did not answer in time, or broke off."""


class KeepsakeRequestError(KeepsakeError):
    """The server refused a request, or failed. Its words say what happened and what to do.

    Attributes:
        status: The HTTP status; that of the problem, when a stream breaks off with one.
        code: For programs: ``invalid-input``, ``forbidden``, ``not-found``, …; ``unknown`` when the answer was none of Keepsake's.
        detail: What is wrong and what to do.
        fields: The fields that cannot be taken, and why.
        request: The request's id, as in the server's log; ``None`` when the answer was none of Keepsake's.
        retry_after: Seconds after which the same request may succeed; ``None`` when the server does not say.
        problem: All that the server said; ``None`` when the answer was none of Keepsake's.
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
    """The problem that an answer is, or ``None`` when it is something else."""
    if isinstance(value, dict) and "code" in value and "detail" in value:
        return cast("Problem", value)
    return None

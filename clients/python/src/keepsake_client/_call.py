"""Describes a call of a route. Nothing is sent here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast
from urllib.parse import quote, urlencode
from uuid import uuid4

Item = TypeVar("Item")

Lines: TypeAlias = str | bytes | Iterable[str] | Iterable[bytes]
"""JSON lines: text, bytes, or pieces of either, such as an open file."""


class Unset(Enum):
    """Marks an argument that was not passed, where ``None`` is a value of its own."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True)
class Scope:
    """Names whose memory it is. An agent or app limits it to the part that this agent or app can read."""

    user: str
    tenant: str | None = None
    agent: str | None = None
    app: str | None = None

    def __post_init__(self) -> None:
        if not self.user.strip():
            raise ValueError("A scope needs the user's name, but it is empty.")


@dataclass(frozen=True)
class Call:
    """A route with its arguments."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    route: str
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    body: object = None
    lines: Lines | None = None
    """Lines that are sent unchanged, in place of a body."""
    media_type: str = "application/x-ndjson"
    """The media type of the lines."""
    repeatable: bool = False
    """Whether a call without an answer may be sent again: it only reads, or the server does it once under a key."""
    once: bool = False
    """Whether the server does calls under one ``Idempotency-Key`` once."""
    idempotency_key: str | None = None
    whole_person: bool = False
    """Whether the call is about the whole user, without agent and app."""
    scope: Scope | None = None
    accept: str = "application/json"

    @property
    def target(self) -> str:
        """The encoded path and query."""
        path: dict[str, str] = dict(self.path)
        query: dict[str, object] = dict(self.query)
        if self.scope is not None:
            path["user"] = self.scope.user
            query |= _scope_query(self.scope, self.whole_person)
            # A path cannot contain the names `.` and `..`, so the query names these users and the path has a blank.
            if self.scope.user in (".", ".."):
                path["user"], query["user"] = " ", self.scope.user
        quoted_path = {name: quote(value, safe="") for name, value in path.items()}
        quoted_query = urlencode(list(_pairs(query)), quote_via=quote)
        return self.route.format(**quoted_path) + (f"?{quoted_query}" if quoted_query else "")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of this call: accepted media type, media type of the body, idempotency key."""
        headers = {"Accept": self.accept}
        if self.lines is not None:
            headers["Content-Type"] = self.media_type
        elif self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        return headers

    @property
    def content(self) -> bytes | Iterable[bytes] | None:
        """The encoded body."""
        if self.lines is not None:
            return _encoded(self.lines)
        if self.body is None:
            return None
        return json.dumps(self.body, default=_as_json, ensure_ascii=False).encode()

    def with_key(self) -> Call:
        """Adds an idempotency key if the call needs one, so that the server does it once even if it is sent again."""
        if not self.once or self.idempotency_key is not None:
            return self
        return replace(self, idempotency_key=str(uuid4()))

    def accepting(self, media_type: str) -> Call:
        """Requests an answer of another media type."""
        return replace(self, accept=media_type)

    def after(self, cursor: str) -> Call:
        """Requests the page after a cursor."""
        return replace(self, query={**self.query, "cursor": cursor})

    def about(self, scope: Scope | None) -> Call:
        """Adds the scope that the call is about."""
        return replace(self, scope=scope)


def given(values: dict[str, Any]) -> dict[str, object]:
    """Leaves out arguments that were not passed: `UNSET` and ``None``. JSON's ``null`` is passed as `NULL`."""
    return {name: _null_as_none(value) for name, value in values.items() if value is not UNSET and value is not None}


def nullable(value: Item | None | Unset) -> Item | Null | Unset:
    """Converts ``None`` to JSON's ``null``, for arguments where ``None`` is a value of its own."""
    return NULL if value is None else value


class Null(Enum):
    """Marks JSON's ``null``, which is sent."""

    NULL = "null"


NULL: Final = Null.NULL


def _null_as_none(value: object) -> object:
    return None if value is NULL else value


def listed(items: object) -> list[object]:
    """Returns a list; a single item becomes a list of one."""
    if isinstance(items, Sequence) and not isinstance(items, (str, bytes)):
        return list(cast("Sequence[object]", items))
    return [items]


def _scope_query(scope: Scope, whole_person: bool) -> dict[str, object]:
    agent_and_app = {} if whole_person else {"agent": scope.agent, "app": scope.app}
    return given({"tenant": scope.tenant, **agent_and_app})


def _pairs(query: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in query.items():
        for item in listed(value):
            yield name, _as_query(item)


def _as_query(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _iso_time(value) if isinstance(value, datetime) else str(value)


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return _iso_time(value)
    raise TypeError(f"{value!r} cannot be written as JSON: give text, numbers, lists, dicts or a datetime")


def _iso_time(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone: give one, such as datetime.now(timezone.utc)")
    return value.isoformat()


def _encoded(lines: Lines) -> bytes | Iterable[bytes]:
    if isinstance(lines, str):
        return lines.encode()
    if isinstance(lines, bytes):
        return lines
    return (piece.encode() if isinstance(piece, str) else piece for piece in lines)

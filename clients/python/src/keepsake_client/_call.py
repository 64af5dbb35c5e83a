"""A call of a route, as it is before anybody makes it."""

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
    """Where ``None`` means something, this is what is not given."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True)
class Scope:
    """Whose memory it is; agent and app narrow it."""

    user: str
    tenant: str | None = None
    agent: str | None = None
    app: str | None = None

    def __post_init__(self) -> None:
        if not self.user.strip():
            raise ValueError("A scope needs the user's name, but it is empty.")


@dataclass(frozen=True)
class Call:
    """A route and what it is given."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    route: str
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    body: object = None
    lines: Lines | None = None
    """Sent as they are, in place of a body."""
    media_type: str = "application/x-ndjson"
    """Of the lines."""
    repeatable: bool = False
    """What was sent and not answered may be sent again: a reading, or what the server does once under a key."""
    once: bool = False
    """The server does it once under an ``Idempotency-Key``."""
    idempotency_key: str | None = None
    whole_person: bool = False
    """Neither agent nor app narrows it."""
    scope: Scope | None = None
    accept: str = "application/json"

    @property
    def target(self) -> str:
        """Path and query, as they are sent."""
        path: dict[str, str] = dict(self.path)
        query: dict[str, object] = dict(self.query)
        if self.scope is not None:
            path["user"] = self.scope.user
            query |= _narrowing(self.scope, self.whole_person)
            # Addresses cannot hold the names `.` and `..`: the query names them then, and the path is a blank.
            if self.scope.user in (".", ".."):
                path["user"], query["user"] = " ", self.scope.user
        named = {name: quote(value, safe="") for name, value in path.items()}
        asked = urlencode(list(_pairs(query)), quote_via=quote)
        return self.route.format(**named) + (f"?{asked}" if asked else "")

    @property
    def headers(self) -> dict[str, str]:
        """Its own headers: of its body, of what it takes for an answer, and its key."""
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
        """Its body, as it is sent."""
        if self.lines is not None:
            return _encoded(self.lines)
        if self.body is None:
            return None
        return json.dumps(self.body, default=_as_json, ensure_ascii=False).encode()

    def keyed(self) -> Call:
        """With a key of its own, under which the server does it once however often it is sent."""
        if not self.once or self.idempotency_key is not None:
            return self
        return replace(self, idempotency_key=str(uuid4()))

    def accepting(self, media_type: str) -> Call:
        """Asking to be answered in another form."""
        return replace(self, accept=media_type)

    def after(self, cursor: str) -> Call:
        """The page that comes next."""
        return replace(self, query={**self.query, "cursor": cursor})

    def about(self, scope: Scope | None) -> Call:
        """About this person."""
        return replace(self, scope=scope)


def given(values: dict[str, Any]) -> dict[str, object]:
    """What was given, without what was not. ``None`` is nothing but where `UNSET` stands for that."""
    return {name: _nulled(value) for name, value in values.items() if value is not UNSET and value is not None}


def nullable(value: Item | None | Unset) -> Item | Null | Unset:
    """A value for which ``None`` says something."""
    return NULL if value is None else value


class Null(Enum):
    """JSON's ``null``, where it is sent."""

    NULL = "null"


NULL: Final = Null.NULL


def _nulled(value: object) -> object:
    return None if value is NULL else value


def listed(items: object) -> list[object]:
    """One is as good as a list of one."""
    if isinstance(items, Sequence) and not isinstance(items, (str, bytes)):
        return list(cast("Sequence[object]", items))
    return [items]


def _narrowing(scope: Scope, whole_person: bool) -> dict[str, object]:
    narrows = {} if whole_person else {"agent": scope.agent, "app": scope.app}
    return given({"tenant": scope.tenant, **narrows})


def _pairs(query: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in query.items():
        for one in listed(value):
            yield name, _as_query(one)


def _as_query(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _moment(value) if isinstance(value, datetime) else str(value)


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return _moment(value)
    raise TypeError(f"{value!r} cannot be written as JSON: give text, numbers, lists, dicts or a datetime")


def _moment(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone: give one, such as datetime.now(timezone.utc)")
    return value.isoformat()


def _encoded(lines: Lines) -> bytes | Iterable[bytes]:
    if isinstance(lines, str):
        return lines.encode()
    if isinstance(lines, bytes):
        return lines
    return (piece.encode() if isinstance(piece, str) else piece for piece in lines)

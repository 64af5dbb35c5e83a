"""A client of Keepsake, the long-term memory for conversational AI, over the REST interface of its server."""

from . import models
from ._call import UNSET, Scope
from ._caller import Stream
from .async_client import AsyncKeepsake, AsyncScopedMemory
from .client import Keepsake, ScopedMemory
from .errors import KeepsakeConnectionError, KeepsakeError, KeepsakeRequestError

__all__ = [
    "UNSET",
    "AsyncKeepsake",
    "AsyncScopedMemory",
    "Keepsake",
    "KeepsakeConnectionError",
    "KeepsakeError",
    "KeepsakeRequestError",
    "Scope",
    "ScopedMemory",
    "Stream",
    "models",
]

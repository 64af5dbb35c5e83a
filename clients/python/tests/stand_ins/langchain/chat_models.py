"""No LangChain: see ../README.md. Answers with what it was told before the user's words."""

from types import SimpleNamespace
from typing import Any


def init_chat_model(name: str) -> SimpleNamespace:
    def invoke(messages: list[Any]) -> SimpleNamespace:
        return SimpleNamespace(content=f"{name} was told: {messages[0]['content']}")

    return SimpleNamespace(invoke=invoke)

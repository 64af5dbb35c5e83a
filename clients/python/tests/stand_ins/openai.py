"""No OpenAI: see README.md. Answers with what it was told before the user's words."""

from types import SimpleNamespace
from typing import Any


class OpenAI:
    def __init__(self) -> None:
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    @staticmethod
    def _create(*, model: str, messages: list[dict[str, Any]]) -> SimpleNamespace:
        said = SimpleNamespace(content=f"{model} was told: {messages[0]['content']}")
        return SimpleNamespace(choices=[SimpleNamespace(message=said)])

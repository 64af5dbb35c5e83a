"""No LangGraph: see ../README.md. Runs nodes one after another, and adds their messages."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypedDict

START, END = "__start__", "__end__"


class MessagesState(TypedDict):
    messages: list[Any]


class StateGraph:
    def __init__(self, _state: type) -> None:
        self._nodes: dict[str, Callable[[Any], dict[str, Any]]] = {}
        self._next: dict[str, str] = {}

    def add_node(self, name: str, node: Callable[[Any], dict[str, Any]]) -> None:
        self._nodes[name] = node

    def add_edge(self, start: str, end: str) -> None:
        self._next[start] = end

    def compile(self) -> SimpleNamespace:
        return SimpleNamespace(invoke=self._invoke)

    def _invoke(self, state: dict[str, Any]) -> dict[str, Any]:
        messages = [SimpleNamespace(content=message["content"]) for message in state["messages"]]
        state = {**state, "messages": messages}
        node = self._next[START]
        while node != END:
            change = self._nodes[node](state)
            state = {**state, **change, "messages": state["messages"] + change.get("messages", [])}
            node = self._next[node]
        return state

"""A LangGraph agent that remembers: `pip install langgraph langchain langchain-openai`, a key in OPENAI_API_KEY, and a Keepsake server.

The graph has three nodes: the first recalls memories for the question, the second calls the model, and the third remembers both messages.
"""

import os

from keepsake_client import Keepsake
from langchain.chat_models import init_chat_model
from langgraph.graph import END, START, MessagesState, StateGraph

keepsake = Keepsake(os.environ.get("KEEPSAKE_URL", "http://127.0.0.1:4150"), os.environ.get("KEEPSAKE_KEY"))
model = init_chat_model(os.environ.get("KEEPSAKE_MODEL", "openai:gpt-5-mini"))


class State(MessagesState):
    """The messages, the user, and the recalled memories."""

    user: str
    known: str


def recall(state: State) -> dict[str, str]:
    question = state["messages"][-1].content
    return {"known": keepsake.scope(state["user"]).recall(question)["context"]["text"]}


def answer(state: State) -> dict[str, list]:
    instructions = {"role": "system", "content": f"You are a warm companion. What you know of the user:\n{state['known']}"}
    return {"messages": [model.invoke([instructions, *state["messages"]])]}


def remember(state: State) -> dict[str, object]:
    question, reply = (message.content for message in state["messages"][-2:])
    keepsake.scope(state["user"]).remember([{"role": "user", "text": question}, {"role": "assistant", "text": reply}])
    return {}


builder = StateGraph(State)
for node in (recall, answer, remember):
    builder.add_node(node.__name__, node)
for start, end in [(START, "recall"), ("recall", "answer"), ("answer", "remember"), ("remember", END)]:
    builder.add_edge(start, end)
graph = builder.compile()

if __name__ == "__main__":
    for said in ["My sister Mia is allergic to peanuts.", "What can I cook for Mia?"]:
        state = graph.invoke({"messages": [{"role": "user", "content": said}], "user": "ana", "known": ""})
        print(f"you: {said}\nagent: {state['messages'][-1].content}")
    keepsake.close()

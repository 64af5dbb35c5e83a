"""A chat with OpenAI's client that remembers: `pip install openai`, a key in OPENAI_API_KEY, and a Keepsake server.

Without any code for memory, give OpenAI's client the address of the Keepsake server, `OpenAI(base_url="http://127.0.0.1:4150/v1")`, and
name the user with `user=`.
"""

import os

from keepsake_client import Keepsake
from openai import OpenAI

keepsake = Keepsake(os.environ.get("KEEPSAKE_URL", "http://127.0.0.1:4150"), os.environ.get("KEEPSAKE_KEY"))
openai = OpenAI()


def chat(user: str, text: str) -> str:
    """Answers with the memories of the user, and remembers both messages."""
    memory = keepsake.scope(user)
    known = memory.recall(text)["context"]["text"]
    completion = openai.chat.completions.create(
        model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"),
        messages=[
            {"role": "system", "content": f"You are a warm companion. What you know of the user:\n{known}"},
            {"role": "user", "content": text},
        ],
    )
    answer = completion.choices[0].message.content or ""
    memory.remember([{"role": "user", "text": text}, {"role": "assistant", "text": answer}])
    return answer


if __name__ == "__main__":
    for said in ["My sister Mia is allergic to peanuts.", "What can I cook for Mia?"]:
        print(f"you: {said}\nagent: {chat('ana', said)}")
    keepsake.close()

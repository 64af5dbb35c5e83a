"""Remembers, recalls and lists. It needs a server at http://127.0.0.1:4150 (`npx @keepsake/cli serve --unlocked --db memory.db`)."""

import os

from keepsake_client import Keepsake

with Keepsake(os.environ.get("KEEPSAKE_URL", "http://127.0.0.1:4150"), os.environ.get("KEEPSAKE_KEY")) as keepsake:
    ana = keepsake.scope("ana")
    ana.remember({"role": "user", "text": "I moved to Lyon last week. My sister Mia helped with the boxes."})
    recall = ana.recall("Who helped Ana with the boxes?")
    print(recall["context"]["text"])
    for memory in ana.memories():
        print("kept:", memory["text"])

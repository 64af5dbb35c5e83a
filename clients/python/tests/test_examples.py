"""The examples run as they stand, against a real server; other people's packages are stood in for (stand_ins/README.md)."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest
from pathlib import Path

from .servers import URL

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def run(name: str) -> str:
    """What an example prints."""
    path = os.pathsep.join([str(HERE.parent / "src"), str(HERE / "stand_ins")])
    env = {**os.environ, "KEEPSAKE_URL": URL, "PYTHONPATH": path}
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / name)], env=env, capture_output=True, text=True, timeout=150, check=False
    )
    if ran.returncode != 0:
        raise AssertionError(ran.stdout + ran.stderr)
    return ran.stdout


class Examples(unittest.TestCase):
    def test_ten_lines(self) -> None:
        self.assertIn("Mia helped", run("ten_lines.py"))

    def test_openai_chat_tells_the_model_what_is_known(self) -> None:
        self.assertIn("allergic to peanuts", run("openai_chat.py").split("you: What can I cook for Mia?")[1])

    def test_langgraph_agent_tells_the_model_what_is_known(self) -> None:
        self.assertIn("allergic to peanuts", run("langgraph_agent.py").split("you: What can I cook for Mia?")[1])

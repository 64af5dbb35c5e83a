"""The client whose calls are awaited, against a real server. Skipped, with the reason, where httpx is missing."""

from __future__ import annotations

import asyncio
import importlib.util
import unittest
from uuid import uuid4

from keepsake_client import AsyncKeepsake, KeepsakeConnectionError, KeepsakeRequestError

from .servers import LOCKED_URL, READ_KEY, URL, FailingServer
from .test_retries import busy_first

WITHOUT = "httpx is missing (apt-get install python3-httpx): the awaited client was not tried"


class Absent(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("httpx"), "httpx is there")
    def test_httpx_is_asked_for_by_name(self) -> None:
        with self.assertRaisesRegex(ModuleNotFoundError, "needs httpx"):
            AsyncKeepsake(URL)


@unittest.skipUnless(importlib.util.find_spec("httpx"), WITHOUT)
class Awaited(unittest.IsolatedAsyncioTestCase):
    async def test_remembers_recalls_and_lists(self) -> None:
        async with AsyncKeepsake(URL) as keepsake:
            ana = keepsake.scope(f"someone-{uuid4()}")
            for number in range(3):
                await ana.remember({"role": "user", "text": "I moved to Lyon."}, session=f"s{number}")
            recall = await ana.recall("Where does Ana live?")
            self.assertIn("Lyon", recall["context"]["text"])
            self.assertEqual([session["id"] async for session in ana.sessions(limit=2)], ["s0", "s1", "s2"])

    async def test_streams_replies_events_and_exports(self) -> None:
        async with AsyncKeepsake(URL) as keepsake:
            ana = keepsake.scope(f"someone-{uuid4()}")
            events = [event["event"] async for event in ana.reply_stream({"role": "user", "text": "Where are my bees?"})]
            self.assertEqual([events[0], events[-1]], ["recall", "end"])
            lines = [line async for line in ana.export()]
            await ana.erase_scope(everything=True)
            self.assertEqual(len((await keepsake.import_scope(f"{line}\n" for line in lines))["scopes"]), 1)

    async def test_hears_what_happens_until_nobody_listens(self) -> None:
        async with AsyncKeepsake(URL) as keepsake:
            ana = keepsake.scope(f"someone-{uuid4()}")
            heard = ana.listen_to_scope()

            async def recorded() -> bool:
                # What came of an earlier turn may be heard before.
                async for event in heard:
                    if event["event"] == "turns-recorded":
                        return True
                return False

            hearing = asyncio.ensure_future(recorded())
            while not hearing.done():
                # It listens from when its answer has begun, which nothing here can see.
                await ana.remember({"role": "user", "text": "Hello."})
                await asyncio.sleep(0.05)
            self.assertTrue(await hearing)
            await heard.aclose()

    async def test_raises_what_the_server_said(self) -> None:
        async with AsyncKeepsake(LOCKED_URL, READ_KEY) as keepsake:
            with self.assertRaises(KeepsakeRequestError) as caught:
                await keepsake.scope("ana").remember({"role": "user", "text": "Hello."})
        self.assertEqual(caught.exception.status, 403)

    async def test_is_made_again_under_the_same_key(self) -> None:
        with FailingServer(busy_first) as server:
            async with AsyncKeepsake(server.url) as keepsake:
                await keepsake.scope("ana").remember({"role": "user", "text": "I keep bees."})
            self.assertEqual([asked.key for asked in server.asked], [server.asked[0].key] * 2)
            self.assertIsNotNone(server.asked[0].key)

    async def test_tells_of_a_server_that_is_not_there(self) -> None:
        with FailingServer(busy_first) as server:
            url = server.url
        async with AsyncKeepsake(url) as keepsake:
            with self.assertRaises(KeepsakeConnectionError):
                await keepsake.scope("ana").recall("x")

"""The client against a real server."""

from __future__ import annotations

import threading
import unittest
from datetime import datetime, timezone

from keepsake_client import Keepsake, KeepsakeRequestError, ScopedMemory, models

from .servers import LOCKED_URL, READ_KEY, URL, someone

LYON = "I moved to Lyon last week. My sister Mia helped me with the boxes."


class KeepsakeTest(unittest.TestCase):
    """With a client of its own, and a person whom nobody else knows."""

    keepsake: Keepsake
    ana: ScopedMemory

    def setUp(self) -> None:
        self.keepsake = Keepsake(URL)
        self.addCleanup(self.keepsake.close)
        self.ana = someone(self.keepsake)


class Scope(KeepsakeTest):
    def test_reads_states(self) -> None:
        self.assertEqual(list(self.ana.states()["states"]), [])
        self.assertEqual(list(self.ana.categories()["categories"]), [])

    def test_sets_guidelines(self) -> None:
        self.ana.set_guidelines(never=["allergies"])
        self.assertEqual(self.ana.guidelines()["never"], ["allergies"])

    def test_remembers_and_recalls(self) -> None:
        at = datetime(2026, 5, 1, 18, tzinfo=timezone.utc)
        remembered = self.ana.remember(
            [
                {"role": "user", "text": LYON, "id": "t1", "at": at},
                {"role": "assistant", "text": "How is the new flat?"},
            ],
            session="monday",
        )
        self.assertEqual((remembered["added"], remembered["session"]), (2, "monday"))
        recall = self.ana.recall("Where does Ana live?", limit=3, as_of=None)
        self.assertIn("Lyon", recall["context"]["text"])
        self.assertEqual(recall["memories"][0]["evidence"][0]["at"], "2026-05-01T18:00:00.000Z")

    def test_takes_one_turn_as_a_list_of_one(self) -> None:
        self.assertEqual(self.ana.remember({"role": "user", "text": "Hello."})["added"], 1)

    def test_a_moment_without_a_time_zone_is_refused_before_anything_is_sent(self) -> None:
        with self.assertRaisesRegex(ValueError, "time zone"):
            self.ana.remember({"role": "user", "text": "Hello.", "at": datetime(2026, 5, 1)})

    def test_does_a_request_once_under_an_idempotency_key(self) -> None:
        first = self.ana.remember({"role": "user", "text": "I keep bees."}, idempotency_key=f"k-{self.ana.scope.user}")
        again = self.ana.remember({"role": "user", "text": "I keep bees."}, idempotency_key=f"k-{self.ana.scope.user}")
        self.assertEqual(first, again)
        with self.assertRaises(KeepsakeRequestError) as caught:
            self.ana.remember({"role": "user", "text": "I keep wasps."}, idempotency_key=f"k-{self.ana.scope.user}")
        self.assertEqual((caught.exception.status, caught.exception.code), (409, "idempotency-conflict"))

    def test_without_a_key_the_same_words_are_said_twice(self) -> None:
        for _ in range(2):
            self.assertEqual(self.ana.remember({"role": "user", "text": "Good morning."})["added"], 1)

    def test_of_any_name_is_itself(self) -> None:
        for user in ["..", ".", "a/b", "../x", "a?b#c", "%2e%2e", "你好", "a lead", "'; --", "a+b&c=d"]:
            with self.subTest(user):
                narrow = self.keepsake.scope(user, tenant=f"tenant {user}", agent=user)
                narrow.remember({"role": "user", "text": "Hello there."})
                scopes = list(self.keepsake.scopes(tenant=f"tenant {user}"))
                self.assertEqual([(scope["user"], scope["agent"]) for scope in scopes], [(user, user)])
                whole = self.keepsake.scope(user, tenant=f"tenant {user}")
                self.assertTrue(any('"row":"turn"' in line for line in whole.export()))
                self.assertEqual(whole.erase_scope(everything=True)["turns"], 1)

    def test_writes_edits_and_lists_blocks(self) -> None:
        self.ana.write_block("tasks", "book the train", limit=60)
        self.ana.edit_block("tasks", find="book the train", replace="train booked")
        blocks = self.ana.blocks()["blocks"]
        self.assertEqual([(block["name"], block["text"], block["limit"]) for block in blocks], [("tasks", "train booked", 60)])

    def test_shows_explains_edits_deletes_restores_and_undoes_a_memory(self) -> None:
        self.ana.remember({"role": "user", "text": "I have a parrot named Kiwi."}, session="one")
        self.ana.end_session(session="one")
        memory = next(item for item in self.wait_for_facts() if "Kiwi" in item["text"])
        self.assertEqual(self.ana.memory(memory["id"])["memory"]["id"], memory["id"])
        edited = self.ana.edit(memory["id"], text="The user has a parrot named Coco.", metadata={"by": "Ana"})
        self.assertEqual(edited["kind"], "modify")
        self.assertEqual(self.ana.memory(memory["id"])["memory"]["metadata"], {"by": "Ana"})
        self.ana.edit(memory["id"], metadata=None)
        self.assertIsNone(self.ana.memory(memory["id"])["memory"]["metadata"])
        self.ana.pin(memory["id"])
        self.assertTrue(self.ana.memory(memory["id"])["memory"]["pinned"])
        deleted = self.ana.forget(memory["id"])
        self.assertNotIn(memory["id"], [item["id"] for item in self.ana.memories()])
        self.ana.undo(deleted["id"])
        self.assertIn("Coco", self.ana.memory(memory["id"])["memory"]["text"])
        kinds = [operation["kind"] for operation in self.ana.history(memory["id"])["operations"]]
        self.assertEqual(kinds[:3], ["add", "modify", "modify"])
        self.assertTrue(self.ana.persona()["subjects"])

    def test_forgets_what_the_policy_lets_go_and_erases_for_good(self) -> None:
        turn = self.ana.remember({"role": "user", "text": LYON})["turns"][0]
        self.assertIn("forgotten", self.ana.run_forgetting(dry_run=True, capacity={"memories": 0}))
        receipt = self.ana.erase(turns=[turn])
        self.assertEqual(receipt["turns"], 1)
        self.assertEqual(list(self.ana.memories()), [])

    def wait_for_facts(self) -> list[models.Memory]:
        with self.ana.listen_to_scope() as events:
            while True:
                facts = list(self.ana.memories(forms=["fact"]))
                if facts:
                    return facts
                next(events)


class Lists(KeepsakeTest):
    def test_come_whole_page_after_page(self) -> None:
        for number in range(7):
            self.ana.remember({"role": "user", "text": f"Dish number {number} is good."}, session=f"s{number}")
        sessions = list(self.ana.sessions(limit=2))
        self.assertEqual([session["id"] for session in sessions], [f"s{number}" for number in range(7)])
        self.assertEqual(list(self.ana.quarantine()), [])

    def test_are_asked_for_only_as_far_as_they_are_read(self) -> None:
        for number in range(3):
            self.ana.remember({"role": "user", "text": "Hello."}, session=f"s{number}")
        self.assertEqual(next(self.ana.sessions(limit=1))["id"], "s0")


class Reply(KeepsakeTest):
    def test_comes_whole(self) -> None:
        reply = self.ana.reply({"role": "user", "text": "Where are my bees?"})
        self.assertEqual(reply["text"], "They are on the roof, all four hives.")
        self.assertEqual((reply["remembered"] or {}).get("added"), 1)

    def test_comes_in_pieces(self) -> None:
        events = list(self.ana.reply_stream({"role": "user", "text": "Where are my bees?"}))
        self.assertEqual([events[0]["event"], events[-1]["event"]], ["recall", "end"])
        text = "".join(event["data"]["text"] for event in events if event["event"] == "text")
        self.assertEqual(text, "They are on the roof, all four hives.")

    def test_that_cannot_be_had_says_why(self) -> None:
        with Keepsake(LOCKED_URL, READ_KEY) as reader, self.assertRaises(KeepsakeRequestError) as caught:
            list(reader.scope("ana").reply_stream({"role": "user", "text": "Hm?"}))
        self.assertEqual(caught.exception.status, 403)


class Events(KeepsakeTest):
    def test_come_as_they_happen_until_nobody_listens(self) -> None:
        with self.ana.listen_to_scope() as events:
            self.ana.remember({"role": "user", "text": "Hello."})
            event = next(events)
        self.assertEqual(event["event"], "turns-recorded")
        self.assertEqual(list(events), [])

    def test_of_everybody_name_whose_they_are(self) -> None:
        with self.keepsake.listen() as events:
            self.ana.remember({"role": "user", "text": "Hello."})
            heard = next(event for event in events if event["event"] == "turns-recorded")
        self.assertEqual(heard["data"]["scope"]["user"], self.ana.scope.user)


class Errors(KeepsakeTest):
    def test_say_what_the_server_said(self) -> None:
        with Keepsake(LOCKED_URL, READ_KEY) as reader, self.assertRaises(KeepsakeRequestError) as caught:
            reader.scope("ana").remember({"role": "user", "text": "Hello."})
        error = caught.exception
        self.assertEqual((error.status, error.code, error.retry_after), (403, "forbidden", None))
        self.assertEqual(str(error), error.detail)
        self.assertIsNotNone(error.request)

    def test_name_the_field_that_cannot_be_taken(self) -> None:
        with self.assertRaises(KeepsakeRequestError) as caught:
            self.ana.remember({"role": "user", "text": "x", "at": "yesterday"})
        self.assertEqual([field["field"] for field in caught.exception.fields], ["body.turns.0.at"])

    def test_of_a_wrong_key_are_errors_as_well(self) -> None:
        with Keepsake(LOCKED_URL, "ks_wrong") as wrong, self.assertRaises(KeepsakeRequestError) as caught:
            wrong.scope("ana").recall("x")
        self.assertEqual(caught.exception.status, 401)

    def test_an_address_that_is_none_is_refused_at_once(self) -> None:
        with self.assertRaisesRegex(ValueError, "127.0.0.1:4150"):
            Keepsake("localhost:4150")


class Transfer(KeepsakeTest):
    def test_brings_a_person_back_exactly(self) -> None:
        self.ana.remember({"role": "user", "text": "我住在北京。My dog is Rex."})
        lines = list(self.ana.export())
        self.ana.erase_scope(everything=True)
        imported = self.keepsake.import_scope("".join(f"{line}\n" for line in lines))
        self.assertEqual([scope["user"] for scope in imported["scopes"]], [self.ana.scope.user])
        self.ana.erase_scope(everything=True)
        self.keepsake.import_scope(f"{line}\n" for line in lines)
        with self.assertRaises(KeepsakeRequestError) as caught:
            self.keepsake.import_scope("\n".join(lines).encode())
        self.assertEqual(caught.exception.status, 409)


class Server(KeepsakeTest):
    def test_tells_of_itself(self) -> None:
        self.ana.remember({"role": "user", "text": "Hello."})
        self.assertGreaterEqual(self.keepsake.stats()["turns"], 1)
        self.assertEqual(list(self.keepsake.jobs(state="parked", answers=False)), [])

    def test_is_asked_by_many_threads_at_once(self) -> None:
        failed: list[BaseException] = []

        def work(number: int) -> None:
            try:
                mine = self.keepsake.scope(f"{self.ana.scope.user}-{number}")
                for _ in range(5):
                    mine.remember({"role": "user", "text": f"My number is {number}."})
                    assert str(number) in mine.recall("What is my number?")["context"]["text"]
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])

"""What users of a server ask for and when, with sessions that reach no server."""

import itertools
import json
import os
import queue
import sys
import threading
import unittest
from unittest import mock

from users import AT_FIRST, KINDS, Asking, Keys, heard, line, now_ms

KEYS = Keys(pool="a.pool", statement="a.statement")


class Recorded:
    """A session that notes what it gets; a statement that is called late waits until another one has run."""

    def __init__(self, world: "World") -> None:
        self.world, self.keys, self.closed = world, {}, False

    def set(self, key: str, value: str) -> None:
        self.keys[key] = value

    def run(self, sql: str) -> None:
        if sql == "late":
            self.world.other.wait(60)
        if sql == "bad":
            raise ValueError("no such table")
        if sql == "other":
            self.world.other.set()
        if sql == "stop":
            self.world.asking.stop()
        self.world.ran.put((sql, dict(self.keys)))

    def close(self) -> None:
        self.closed = True


class World:
    """A user with statements, and all that becomes of them."""

    def __init__(self, *asks: dict) -> None:
        self.ran: queue.SimpleQueue = queue.SimpleQueue()
        self.other = threading.Event()
        self.sessions: list[Recorded] = []
        self.told: list[dict] = []
        user = {"name": "u", "kind": "dashboard", "pool": "p", "asks": list(asks)}
        self.asking = Asking(user, KEYS, self.connect, lambda text: self.told.append(json.loads(text)))

    def connect(self) -> Recorded:
        self.sessions.append(Recorded(self))
        return self.sessions[-1]

    def run(self) -> None:
        self.begin = now_ms()
        self.asking.run(self.begin)

    def statements(self) -> list[str]:
        return [self.ran.get()[0] for _ in range(self.ran.qsize())]


def ask(number: int, sql: str, due: int | None = None) -> dict:
    """Returns a statement as the experiment writes it."""
    timed = {} if due is None else {"due_ms": due}
    return {"id": number, "name": f"q{number}", "sql": sql, **timed}


class UsersTest(unittest.TestCase):
    """Users with statements at their times, and in a row."""

    def test_a_late_answer_delays_nobody(self) -> None:
        world = World(ask(1, "late", 0), ask(2, "other", 1))
        world.run()
        self.assertEqual(world.statements(), ["other", "late"])
        self.assertEqual({s["id"]: s["due"] - world.begin for s in world.told}, {1: 0, 2: 1})

    def test_more_statements_than_sessions_get_sessions(self) -> None:
        late = [ask(n, "late", 0) for n in range(AT_FIRST + 1)]
        world = World(*late, ask(100, "other", 1))
        world.run()
        self.assertEqual(len(world.sessions), AT_FIRST + 2)
        self.assertFalse(any(s.closed for s in world.sessions))
        world.asking.close()
        self.assertTrue(all(s.closed for s in world.sessions))

    def test_a_row_is_in_order_and_each_is_due_when_the_last_has_ended(self) -> None:
        world = World(ask(1, "a"), ask(2, "b"), ask(3, "c"))
        world.run()
        self.assertEqual(world.statements(), ["a", "b", "c"])
        self.assertEqual(len(world.sessions), 1)
        for before, after in itertools.pairwise(world.told):
            self.assertGreaterEqual(after["due"], before["ended"])

    def test_a_session_says_pool_and_statement(self) -> None:
        world = World(ask(7, "a"))
        world.run()
        self.assertEqual(world.ran.get(), ("a", {"a.pool": "p", "a.statement": "7"}))

    def test_in_pyspark_the_thread_of_a_statement_says_pool_and_statement_whoever_made_its_session(self) -> None:
        with mock.patch("users.driver") as driver:
            session = KINDS["pyspark"](0, "u")
        spark, threads = driver.return_value.newSession.return_value, []
        spark.sparkContext.setLocalProperty.side_effect = lambda *_: threads.append(threading.current_thread())
        session.set("a.pool", "p")
        session.set("a.statement", "6")
        session.set("a.statement", "7")
        spark.sparkContext.setLocalProperty.assert_not_called()
        thread = threading.Thread(target=session.run, args=("q",))
        thread.start()
        thread.join()
        said = [mock.call.sparkContext.setLocalProperty(*own) for own in (("a.pool", "p"), ("a.statement", "7"))]
        self.assertEqual(spark.mock_calls, [*said, mock.call.sql("q"), mock.call.sql().collect()])
        self.assertEqual(threads, [thread, thread])

    def test_the_end_of_a_session_in_pyspark_is_not_that_of_the_drivers_spark(self) -> None:
        with mock.patch("users.driver") as driver:
            KINDS["pyspark"](0, "u").close()
        self.assertEqual(driver.mock_calls, [mock.call(), mock.call().newSession()])

    def test_who_is_stopped_asks_for_nothing_new(self) -> None:
        world = World(ask(1, "stop"), ask(2, "b"), ask(3, "c", 3_600_000))
        world.run()
        self.assertEqual(world.statements(), ["stop"])
        self.assertEqual([s["id"] for s in world.told], [1])

    def test_an_error_is_told_and_the_next_is_asked_for(self) -> None:
        world = World(ask(1, "bad"), ask(2, "b"))
        world.run()
        self.assertEqual([s.get("error") for s in world.told], ["ValueError: no such table", None])

    def test_a_line_is_what_the_experiment_reads(self) -> None:
        told = json.loads(line({"name": "u", "kind": "etl"}, ask(5, "x"), 10, 12, None))
        self.assertEqual(told, {"id": 5, "user": "u", "kind": "etl", "name": "q5", "due": 10, "ended": 12})

    def test_what_is_said_comes_in_lines(self) -> None:
        reads, writes = os.pipe()
        os.write(writes, b"begin 12\nst")
        said = heard(reads)
        self.assertEqual(next(said), "begin 12")
        os.write(writes, b"op\n")
        os.close(writes)
        self.assertEqual(list(said), ["stop"])
        os.close(reads)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)  # all tests get the same arguments

"""A user of a Spark Connect server, a Thrift server or a driver that has PySpark's gateway, who asks for statements.

The argument is a JSON file with all that.

It makes a file when it is connected, and another one when it has all answers. Its standard input says `begin
MILLISECONDS`, the moment from which its times count, later maybe `stop`, and at last `end`; when that input is closed,
the program ends. Each statement that has ended adds a line of JSON to a file.
"""

import functools
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

HOST = "127.0.0.1"

# Sessions that are there when the user begins: statements that are due at their times may run at the same time.
AT_FIRST, AT_FIRST_IN_A_ROW = 2, 1

# A statement's session is made ready before the statement is due: this is not part of what its user waits for.
AHEAD_S = 1.0
LONGEST_ERROR = 500


class Session(Protocol):
    """A session of a server, which runs a statement at a time."""

    def set(self, key: str, value: str) -> None:
        """Gives a key of the session a value."""

    def run(self, sql: str) -> None:
        """Runs a statement and takes its whole answer."""

    def close(self) -> None:
        """Ends it."""


class ConnectSession:
    """A session of Spark Connect."""

    def __init__(self, port: int, user: str) -> None:
        """Connects as this user."""
        from pyspark.sql import SparkSession

        self.spark = SparkSession.builder.remote(f"sc://{HOST}:{port}/;user_id={user}").create()

    def set(self, key: str, value: str) -> None:
        """Gives a key of the session a value."""
        self.spark.conf.set(key, value)

    def run(self, sql: str) -> None:
        """Runs a statement and takes its whole answer."""
        self.spark.sql(sql).collect()

    def close(self) -> None:
        """Ends it."""
        self.spark.stop()


class ThriftSession:
    """A JDBC client's session of a Thrift server."""

    def __init__(self, port: int, user: str) -> None:
        """Connects as this user."""
        from pyhive import hive

        self.connection = hive.connect(HOST, port=port, username=user)

    def set(self, key: str, value: str) -> None:
        """Gives a key of the session a value."""
        self.run(f"SET {key}={value}")

    def run(self, sql: str) -> None:
        """Runs a statement and takes its whole answer."""
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
            if cursor.description:
                cursor.fetchall()
        finally:
            cursor.close()

    def close(self) -> None:
        """Ends it."""
        self.connection.close()


@functools.cache
def driver() -> Any:
    """Returns the first session of the driver that has the gateway; the main thread calls it before others are there.

    Programs at one gateway share the JVM. `stop()` in one ends Spark for all, and Ctrl-C cancels the jobs of all. Calls
    back into Python go to the program that wanted them last; SQL needs none. What a program refers to stays in the JVM
    when it has ended. Each has its own accumulators and temporary folder. The default session stays what it was.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    gateway = launch_gateway()  # launches none: it is in PYSPARK_GATEWAY_PORT and PYSPARK_GATEWAY_SECRET
    java = gateway.jvm.JavaSparkContext(gateway.jvm.org.apache.spark.SparkContext.getOrCreate())
    conf = SparkConf(_jconf=java.getConf())  # a copy: Python adds its defaults
    return SparkSession(SparkContext(conf=conf, gateway=gateway, jsc=java))


class PySparkSession:
    """A session of the driver to which this process is attached. Each statement runs in the thread that asks for it."""

    def __init__(self, _port: int, _user: str) -> None:
        """Makes one; the environment says where the driver is, and it knows no users."""
        self.spark = driver().newSession()
        self.properties: dict[str, str] = {}

    def set(self, key: str, value: str) -> None:
        """Gives a key a value, for statements of whatever thread: local properties are of one."""
        self.properties[key] = value

    def run(self, sql: str) -> None:
        """Runs a statement and takes its whole answer."""
        for key, value in self.properties.items():
            self.spark.sparkContext.setLocalProperty(key, value)
        self.spark.sql(sql).collect()

    def close(self) -> None:
        """Leaves it: `stop()` would end the driver's Spark."""


KINDS: dict[str, Callable[[int, str], Session]] = {
    "connect": ConnectSession,
    "thrift": ThriftSession,
    "pyspark": PySparkSession,
}


@dataclass(frozen=True)
class Keys:
    """Keys of a session with its pool, and with the number of the statement that runs in it."""

    pool: str
    statement: str


class Sessions:
    """Sessions of one user that run nothing at the moment."""

    def __init__(self, connect: Callable[[], Session], at_first: int) -> None:
        """Makes so many."""
        self.connect = connect
        self.idle: queue.SimpleQueue[Session] = queue.SimpleQueue()
        for _ in range(at_first):
            self.idle.put(connect())

    def take(self) -> Session:
        """Returns one that is idle, or else a new one."""
        try:
            return self.idle.get_nowait()
        except queue.Empty:
            return self.connect()

    def close(self) -> None:
        """Ends those that are idle."""
        while not self.idle.empty():
            self.idle.get().close()


class Asking:
    """A user who asks for statements from a moment on, in epoch ms, until it is stopped."""

    def __init__(
        self, user: dict[str, Any], keys: Keys, connect: Callable[[], Session], told: Callable[[str], None]
    ) -> None:
        """Connects, and asks for nothing yet; `told` gets a line of JSON for each statement that has ended."""
        self.user, self.keys, self.connect, self.told = user, keys, connect, told
        self.timed = sorted((a for a in user["asks"] if "due_ms" in a), key=lambda a: a["due_ms"])
        self.in_a_row = [a for a in user["asks"] if "due_ms" not in a]
        self.stopped = threading.Event()
        self.sessions = Sessions(self._connected, AT_FIRST if self.timed else AT_FIRST_IN_A_ROW)

    def run(self, begin: int) -> None:
        """Asks for all of them, and returns when the last has ended or, once stopped, those that run."""
        threads = [threading.Thread(target=self._all_in_a_row, args=(begin,))] if self.in_a_row else []
        for thread in threads:
            thread.start()
        for ask in self.timed:
            due = begin + ask["due_ms"]
            if not self._waited_until(due / 1000 - AHEAD_S):
                break
            threads.append(threading.Thread(target=self._at, args=(ask, due)))
            threads[-1].start()
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        """Asks for nothing new."""
        self.stopped.set()

    def close(self) -> None:
        """Ends its sessions."""
        self.sessions.close()

    def _connected(self) -> Session:
        session = self.connect()
        session.set(self.keys.pool, self.user["pool"])
        return session

    def _waited_until(self, moment_s: float) -> bool:
        return not self.stopped.wait(max(0.0, moment_s - time.time()))

    def _all_in_a_row(self, begin: int) -> None:
        if not self._waited_until(begin / 1000):
            return
        session = self.sessions.take()
        for ask in self.in_a_row:
            if self.stopped.is_set():
                break
            self._answered(ask, session, None)
        self.sessions.idle.put(session)

    def _at(self, ask: dict[str, Any], due: int) -> None:
        try:
            session = self.sessions.take()
        except Exception as e:
            self._tell(ask, due, now_ms(), e)
            return
        self._answered(ask, session, due)
        self.sessions.idle.put(session)

    def _answered(self, ask: dict[str, Any], session: Session, due: int | None) -> None:
        """Waits until a statement is due, or for nothing if it is due at once, and runs it."""
        error: Exception | None = None
        try:
            session.set(self.keys.statement, str(ask["id"]))
            if due is None:
                due = now_ms()
            elif not self._waited_until(due / 1000):
                return
            session.run(ask["sql"])
        except Exception as e:  # whatever it is, it is what the user got
            error = e
        ended = now_ms()
        self._tell(ask, ended if due is None else due, ended, error)

    def _tell(self, ask: dict[str, Any], due: int, ended: int, error: Exception | None) -> None:
        why = None if error is None else f"{type(error).__name__}: {error}"[:LONGEST_ERROR]
        self.told(line(self.user, ask, due, ended, why))


def now_ms() -> int:
    """Returns the time in epoch ms."""
    return time.time_ns() // 1_000_000


def line(user: dict[str, Any], ask: dict[str, Any], due: int, ended: int, error: str | None) -> str:
    """Returns a statement as the experiment reads it."""
    told = {"id": ask["id"], "user": user["name"], "kind": user["kind"], "name": ask["name"]}
    return json.dumps({**told, "due": due, "ended": ended, **({} if error is None else {"error": error})})


class Results:
    """A file with a line for each statement that has ended."""

    def __init__(self, path: str) -> None:
        """Names it."""
        self.path = Path(path)
        self.lock = threading.Lock()

    def add(self, text: str) -> None:
        """Adds a line."""
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")


def heard(file: int) -> Iterator[str]:
    """Returns the lines that a file says until it is closed. No lock is held meanwhile: the program can end."""
    left = b""
    while said := os.read(file, 4096):
        *lines, left = (left + said).split(b"\n")
        yield from (line.decode() for line in lines)


def main() -> None:
    """Is a user."""
    spec = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    user = spec["user"]
    asking = Asking(
        user,
        Keys(**spec["keys"]),
        lambda: KINDS[spec["server"]](spec["port"], user["name"]),
        Results(spec["results"]).add,
    )
    Path(spec["ready"]).touch()
    said = heard(sys.stdin.fileno())
    words = next(said, "").split()
    if words[:1] != ["begin"]:
        sys.exit("was not told when to begin")

    def listen() -> None:
        for word in said:
            if word == "stop":
                asking.stop()
            if word == "end":
                return
        os._exit(3)  # whoever started this is gone

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    asking.run(int(words[1]))
    Path(spec["done"]).touch()
    listener.join()
    asking.close()


if __name__ == "__main__":
    main()

"""Users as threads of programs that are attached to one driver, which is that of this program, on a real PySpark."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

USERS = Path(__file__).resolve().parent / "users.py"
KEYS = {"pool": "spark.scheduler.pool", "statement": "spark.experiment.statement"}
QUERY = "select k, count(*) from (select id % 7 as k from range(0, 400, 1, 4)) group by k"
WAIT_S = 120


class Program:
    """A user's process, attached to the driver; it asks for these statements, which are due at once."""

    def __init__(self, folder: Path, sc: SparkContext, pool: str, asks: dict[int, str]) -> None:
        self.ready, self.done, self.results = (folder / f"{pool}.{end}" for end in ("ready", "done", "jsonl"))
        gateway = sc._gateway.gateway_parameters
        all_asks = [{"id": number, "name": "q", "sql": sql, "due_ms": 0} for number, sql in asks.items()]
        user = {"name": pool, "kind": "dashboard", "pool": pool, "asks": all_asks}
        files = {"ready": str(self.ready), "done": str(self.done), "results": str(self.results)}
        spec = folder / f"{pool}.json"
        spec.write_text(json.dumps({"server": "pyspark", "port": gateway.port, "user": user, "keys": KEYS, **files}))
        own = {"PYSPARK_GATEWAY_PORT": str(gateway.port), "PYSPARK_GATEWAY_SECRET": gateway.auth_token}
        command = [sys.executable, "-B", str(USERS), str(spec)]
        self.process = subprocess.Popen(command, env={**os.environ, **own}, stdin=subprocess.PIPE, text=True)

    def say(self, words: str) -> None:
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()

    def wait_for(self, file: Path) -> None:
        until = time.monotonic() + WAIT_S
        while not file.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"no {file.name}, exit code {self.process.poll()}")
            time.sleep(0.1)

    def end(self) -> int:
        self.say("end")
        return self.process.wait(WAIT_S)

    def errors(self) -> dict[int, str | None]:
        lines = [json.loads(text) for text in self.results.read_text().splitlines()]
        return {told["id"]: told.get("error") for told in lines}


class PySparkTest(unittest.TestCase):
    """Two programs at the same time, and one after them."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name)
        logs = folder / "events"
        logs.mkdir()
        conf = SparkConf().setMaster("local[4]").setAppName("pyspark")
        conf.set("spark.ui.enabled", "false").set("spark.log.level", "OFF").set("spark.scheduler.mode", "FAIR")
        conf.set("spark.eventLog.enabled", "true").set("spark.eventLog.dir", logs.as_uri())
        conf.set("spark.eventLog.compress", "false").set("spark.eventLog.rolling.enabled", "false")
        sc = SparkContext(conf=conf)
        spark = SparkSession(sc)
        cls.programs = []
        try:
            cls.programs += [
                Program(folder, sc, "important", {1: QUERY, 2: "select * from nowhere", 3: QUERY}),
                Program(folder, sc, "background", {11: QUERY, 12: QUERY}),
            ]
            cls.codes = cls.run_them(cls.programs)
            cls.programs.append(Program(folder, sc, "later", {21: QUERY}))
            cls.codes += cls.run_them(cls.programs[2:])
            cls.left = spark.range(10).count()
            default = sc._jvm.SparkSession.getDefaultSession().get()
            cls.same_default = default.equals(spark._jsparkSession)
        finally:
            for program in cls.programs:
                program.process.kill()
            spark.stop()
        (log,) = logs.glob("local-*")
        events = [json.loads(text) for text in log.read_text().splitlines()]
        starts = [e.get("Properties") or {} for e in events if e["Event"] == "SparkListenerJobStart"]
        cls.said = {(own[KEYS["pool"]], int(own[KEYS["statement"]])) for own in starts if KEYS["statement"] in own}

    @staticmethod
    def run_them(programs: list[Program]) -> list[int]:
        for program in programs:
            program.wait_for(program.ready)
        begin = time.time_ns() // 1_000_000 + 500
        for program in programs:
            program.say(f"begin {begin}")
        for program in programs:
            program.wait_for(program.done)
        return [program.end() for program in programs]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def test_each_has_its_answers(self) -> None:
        errors = [program.errors() for program in self.programs]
        self.assertIn("nowhere", errors[0].pop(2))
        self.assertEqual(errors, [{1: None, 3: None}, {11: None, 12: None}, {21: None}])

    def test_a_job_has_pool_and_number_of_the_statement_whose_it_is(self) -> None:
        important = {("important", 1), ("important", 3)}
        self.assertEqual(self.said, important | {("background", 11), ("background", 12), ("later", 21)})

    def test_whoever_ends_leaves_the_drivers_spark_and_its_default_session(self) -> None:
        self.assertEqual((self.codes, self.left, self.same_default), ([0, 0, 0], 10, True))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)  # all tests get the same arguments

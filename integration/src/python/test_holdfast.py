"""The Python scope API on a real PySpark: the jar is the first argument."""

import sys
import threading
import time
import unittest

JAR = sys.argv.pop(1)
sys.path.insert(0, JAR)

import holdfast  # noqa: E402
from pyspark import SparkConf, SparkContext  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.functions import udf  # noqa: E402

SLOTS = 4


def own(name):
    return [w for w in holdfast.status()["workflows"] if w["workflow"] == name]


class HoldfastTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        conf = SparkConf().setMaster(f"local[{SLOTS}]").setAppName("holdfast")
        conf.set("spark.jars", JAR).set("spark.plugins", "io.holdfast.HoldfastPlugin")
        conf.set("spark.ui.enabled", "false").set("spark.log.level", "ERROR")
        cls.sc = SparkContext(conf=conf)
        cls.spark = SparkSession(cls.sc)

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def job(self):
        def work(index, rows):
            time.sleep(0.5 if index == 0 else 0.1)
            return rows

        pairs = self.sc.parallelize(range(SLOTS), SLOTS).mapPartitionsWithIndex(work).map(lambda k: (k, 1))
        return pairs.reduceByKey(lambda a, b: a + b, SLOTS).count()

    def test_the_jobs_of_a_scope_hold_their_slots(self):
        with holdfast.workflow("report", priority=10, isolation=0.9, parallelism=SLOTS):
            self.assertEqual(self.job(), SLOTS)
        (account,) = own("workflow:report")
        self.assertGreater(account["made"], 0)
        self.assertGreater(account["barriers"], 0, "isolation 0.9 gives barriers a deadline")
        self.assertEqual(holdfast.status()["holds"]["left"], 0, "the scope's end gives everything back")

    def test_a_query_whose_tasks_run_python_holds_its_slots(self):
        def work(k):
            if k % 25 == 0:
                time.sleep(0.5 if k == 0 else 0.1)
            return k % 2

        with holdfast.workflow("udf", priority=10):
            numbers = self.spark.range(0, 100, 1, SLOTS)
            rows = numbers.groupBy(udf(work, "long")("id").alias("k")).count().collect()
        self.assertEqual(sorted(row["count"] for row in rows), [50, 50])
        (account,) = own("workflow:udf")
        self.assertGreater(account["used"], 0)

    def test_the_outermost_scope_counts_and_the_thread_is_left_as_it_was(self):
        with holdfast.workflow("outer", priority=5):
            with holdfast.workflow("inner", priority=50):
                self.assertEqual(self.sc.getLocalProperty("holdfast.workflow"), "outer")
                self.assertEqual(self.sc.getLocalProperty("holdfast.priority"), "5")
            self.assertEqual(self.sc.getLocalProperty("holdfast.workflow"), "outer")
        for key in ["workflow", "priority", "isolation", "parallelism"]:
            self.assertIsNone(self.sc.getLocalProperty("holdfast." + key))

    def test_a_scope_says_what_bounds_its_jobs(self):
        with holdfast.workflow("bounded", deadline=2.5, error=0.1):
            self.assertEqual(self.sc.getLocalProperty("holdfast.deadline"), "2500ms")
            self.assertEqual(self.sc.getLocalProperty("holdfast.error"), "0.1")
        for key in ["deadline", "error"]:
            self.assertIsNone(self.sc.getLocalProperty("holdfast." + key))

    def test_without_priority_nothing_is_held(self):
        with holdfast.workflow("nobody"):
            self.job()
        self.assertEqual(own("workflow:nobody"), [])

    def test_a_scope_ends_also_with_an_error(self):
        with self.assertRaises(KeyError):
            with holdfast.workflow("fails", priority=1):
                raise KeyError("the user's")
        self.assertIsNone(self.sc.getLocalProperty("holdfast.workflow"))

    def test_a_priority_at_run_time(self):
        done = []

        def program():
            self.sc.setLocalProperty("spark.scheduler.pool", "late")
            done.append(self.job())

        holdfast.set_priority("pool.late", 3)
        thread = threading.Thread(target=program)
        thread.start()
        thread.join()
        self.assertEqual(done, [SLOTS])
        self.assertGreater(own("pool:late")[0]["made"], 0)

    def test_what_is_wrong_is_named(self):
        for wrong in [{"isolation": 1.5}, {"parallelism": 0}, {"deadline": 0}, {"error": 1}]:
            with self.assertRaisesRegex(ValueError, "of workflow w"):
                with holdfast.workflow("w", **wrong):
                    pass
        with self.assertRaises(ValueError):
            with holdfast.workflow(" "):
                pass
        with self.assertRaisesRegex(ValueError, "names nobody"):
            holdfast.set_priority("late", 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Approximate actions of the Python package on a real PySpark: the jar is the first argument."""

import sys
import time
import unittest

JAR = sys.argv.pop(1)
sys.path.insert(0, JAR)

import holdfast  # noqa: E402
from holdfast import approximate  # noqa: E402
from pyspark import SparkConf, SparkContext  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

SLOTS, PARTITIONS, EACH = 4, 8, 50


class ApproximateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        conf = SparkConf().setMaster(f"local[{SLOTS}]").setAppName("approximate")
        conf.set("spark.jars", JAR).set("spark.plugins", "io.holdfast.HoldfastPlugin")
        conf.set("spark.holdfast.stragglers", "grass")
        conf.set("spark.ui.enabled", "false").set("spark.log.level", "ERROR")
        conf.set("spark.ui.showConsoleProgress", "false")
        cls.sc = SparkContext(conf=conf)
        cls.spark = SparkSession(cls.sc)

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def numbers(self, slow=(), seconds=0):
        """As many elements in each partition; those of some come after so many seconds."""

        def work(index, rows):
            if index in slow:
                time.sleep(seconds)
            return rows

        return self.sc.parallelize(range(PARTITIONS * EACH), PARTITIONS).mapPartitionsWithIndex(work)

    def test_all_partitions_give_the_exact_answer(self):
        data = self.numbers()
        whole = PARTITIONS * EACH
        for action, value in [
            (approximate.count, whole),
            (approximate.sum, whole * (whole - 1) / 2),
            (approximate.mean, (whole - 1) / 2),
        ]:
            answer = action(data, error=0)
            self.assertEqual((answer.value, answer.low, answer.high), (value, value, value))
            self.assertEqual((answer.share, answer.partitions, answer.missing), (1, PARTITIONS, ()))

    def test_an_error_leaves_slow_partitions_out(self):
        began = time.time()
        answer = approximate.count(self.numbers(slow=(1, 6), seconds=300), error=0.25, confidence=0.9)
        self.assertLess(time.time() - began, 200)
        self.assertEqual((answer.share, answer.missing, answer.confidence), (0.75, (1, 6), 0.9))
        self.assertEqual(answer.value, PARTITIONS * EACH)
        self.assertTrue(answer.low < answer.value < answer.high, answer)
        self.assertGreaterEqual(holdfast.status()["bounds_met"], 1)

    def test_a_deadline_is_kept_and_the_rest_is_cancelled(self):
        approximate.count(self.numbers(), error=0)  # Python's workers have begun
        began = time.time()
        answer = approximate.mean(self.numbers(slow=(3,), seconds=300), deadline=20)
        self.assertLess(time.time() - began, 60)
        self.assertEqual(answer.missing, (3,))
        self.assertTrue(answer.low <= answer.value <= answer.high, answer)
        self.assertEqual(holdfast.status()["bounds_passed"], 1, holdfast.status())
        until = time.time() + 20
        while self.sc.statusTracker().getActiveJobsIds() and time.time() < until:
            time.sleep(0.05)
        self.assertEqual(list(self.sc.statusTracker().getActiveJobsIds()), [])

    def test_an_aggregate_combines_each_partition_once(self):
        data = self.numbers()

        def add(seen, element):
            seen.append(element)
            return seen

        answer = approximate.aggregate(data, [], add, lambda a, b: a + b, error=0)
        self.assertEqual(sorted(answer.value), list(range(PARTITIONS * EACH)))
        self.assertEqual((answer.low, answer.high), (None, None))
        largest = approximate.aggregate(
            self.numbers(slow=(7,), seconds=300),
            -1,
            max,
            evaluate=lambda results, n: (sorted(partition for partition, _ in results), n),
            error=0.125,
        )
        self.assertEqual(largest.value, (list(range(PARTITIONS - 1)), PARTITIONS))
        self.assertEqual(largest.missing, (7,))

    def test_rows_of_a_data_frame(self):
        frame = self.spark.range(0, 400, 1, PARTITIONS)
        self.assertEqual(approximate.count(frame, error=0).value, 400)
        self.assertEqual(approximate.mean(frame, error=0).value, 199.5)
        total = approximate.aggregate(frame, 0, lambda sum, row: sum + row.id, lambda a, b: a + b, error=0)
        self.assertEqual(total.value, 400 * 399 / 2)
        with self.assertRaisesRegex(ValueError, "2 columns"):
            approximate.sum(frame.withColumn("b", frame.id), error=0)

    def test_what_is_wrong_is_named(self):
        data = self.numbers()
        for wrong in [{}, {"deadline": 1, "error": 0.1}, {"error": 1}, {"error": float("nan")}, {"deadline": -1}]:
            with self.assertRaises(ValueError):
                approximate.count(data, **wrong)
        with self.assertRaisesRegex(ValueError, "confidence 2"):
            approximate.count(data, error=0, confidence=2)
        with self.assertRaisesRegex(ValueError, "comb_op or evaluate"):
            approximate.aggregate(data, 0, max, error=0)
        remote = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
        with self.assertRaisesRegex(RuntimeError, "Spark Connect has no RDD"):
            approximate.count(remote, error=0)
        with self.assertRaisesRegex(Exception, "the user's"):
            approximate.count(data.map(lambda _: 1 / 0 if _ < 0 else {}["the user's"]), error=0)


if __name__ == "__main__":
    unittest.main(verbosity=2)

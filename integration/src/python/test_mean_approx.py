"""PySpark's own approximate actions, unchanged, under GRASS: the jar is the first argument."""

import sys
import unittest

JAR = sys.argv.pop(1)
sys.path.insert(0, JAR)

import holdfast  # noqa: E402
import mean_approx  # noqa: E402
from mean_approx import PARTITIONS, ROWS, mean  # noqa: E402
from pyspark import SparkConf, SparkContext  # noqa: E402


class MeanApproxTest(unittest.TestCase):
    def test_an_unchanged_program_has_a_deadline(self):
        conf = SparkConf().setMaster("local[4]").setAppName("mean-approx")
        conf.set("spark.jars", JAR).set("spark.plugins", "io.holdfast.HoldfastPlugin")
        conf.set("spark.holdfast.stragglers", "grass")
        conf.set("spark.ui.enabled", "false").set("spark.log.level", "ERROR")
        sc = SparkContext(conf=conf)
        try:
            sc.addPyFile(mean_approx.__file__)  # workers do not look into this folder
            # PySpark waits for the final value: every partition counts, after the deadline, too.
            self.assertEqual(mean(), (PARTITIONS * ROWS - 1) / 2)
            self.assertEqual(holdfast.status().get("bounds_passed"), 1)
        finally:
            sc.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2)

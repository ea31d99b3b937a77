"""The doctor about a real PySpark, in Python and as a program: jar and program are the first arguments."""

import contextlib
import io
import subprocess
import sys
import unittest

JAR, PROGRAM = sys.argv[1:3]
del sys.argv[1:3]
sys.path.insert(0, JAR)

import holdfast  # noqa: E402
import pyspark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

PLUGIN = {"spark.plugins": "io.holdfast.HoldfastPlugin", "spark.jars": JAR}


def doctor(conf=None):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        good = holdfast.doctor(conf)
    lines = said.getvalue().splitlines()
    return good, {line[4:13].strip(): (line[:4].strip() + " " + line[14:]).strip() for line in lines}


@contextlib.contextmanager
def session(**conf):
    builder = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    for key, value in conf.items():
        builder = builder.config(key.replace("__", "."), value)
    spark = builder.getOrCreate()
    try:
        yield spark.sparkContext
    finally:
        spark.stop()


class DoctorTest(unittest.TestCase):
    def test_1_before_a_context(self):
        good, said = doctor({**PLUGIN, "spark.holdfast.pool.important.priority": "10"})
        self.assertTrue(good, said)
        self.assertTrue(said["Spark"].startswith(f"{pyspark.__version__} with Scala 2."))
        self.assertIn(f"Spark {pyspark.__version__}, mode enforce", said["Banner"])
        self.assertEqual(said["To do"], "nothing")

    def test_2_a_wrong_key(self):
        good, said = doctor({**PLUGIN, "spark.holdfast.hold.mx": "5s"})
        self.assertFalse(good)
        self.assertIn("no spark.holdfast.hold.mx=5s is not a key of Holdfast", said["Keys"])

    def test_3_the_program_says_the_same(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            holdfast.doctor(PLUGIN)
        conf = [part for key, value in PLUGIN.items() for part in ("--conf", f"{key}={value}")]
        command = [PROGRAM, "doctor", "--python", sys.executable, "--jar", JAR] + conf
        ran = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (0, said.getvalue()), ran.stderr)

    def test_4_a_python_without_pyspark(self):
        script = f"import sys; sys.path.insert(0, {JAR!r}); import holdfast; print(holdfast.doctor())"
        ran = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True)
        self.assertIn("there is no pyspark in this Python", ran.stdout)
        self.assertTrue(ran.stdout.endswith("False\n"), ran.stdout + ran.stderr)

    def test_5_a_context_with_holdfast_and_the_master_of_its_program(self):
        with session(spark__master="local[3]", **{k.replace(".", "__"): v for k, v in PLUGIN.items()}) as sc:
            self.assertEqual((sc.master, sc.defaultParallelism), ("local[3]", 3))
            again = SparkSession.builder.master("local[5]").getOrCreate().sparkContext
            self.assertEqual(again.master, "local[3]")
            good, said = doctor()
            self.assertTrue(good, said)
            self.assertEqual(said["Now"], "ok this SparkContext: enforce")
            self.assertEqual(said["Plugin"], "ok spark.plugins names it, and the driver has its jar")
            self.assertNotIn("2 times", said["To do"])

    def test_6_a_context_without_holdfast(self):
        with session(spark__master="local[2]", spark__plugins=""):
            good, said = doctor()
            self.assertFalse(good)
            self.assertIn("no this SparkContext: off, spark.plugins does not name", said["Now"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

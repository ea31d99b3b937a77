"""The Python package without PySpark: what its configuration keeps, where it finds jar and program, what it says."""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import holdfast
from holdfast import _files

PACKAGE = Path(holdfast.__file__).parent
PLUGIN = "io.holdfast.HoldfastPlugin"
OURS = ["HOLDFAST_JAR", "SPARK_CONF_DIR", "SPARK_HOME", "PYSPARK_SUBMIT_ARGS", "PYSPARK_GATEWAY_PORT"]


class InAFolder(unittest.TestCase):
    """Each test has a folder, and an environment without what concerns us."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        before = {name: os.environ.pop(name, None) for name in OURS}
        self.addCleanup(lambda: [os.environ.pop(name, None) for name in OURS])
        self.addCleanup(lambda: os.environ.update({k: v for k, v in before.items() if v is not None}))

    def file(self, name, text=""):
        path = self.folder / name
        path.write_text(text)
        return str(path)


class ConfTest(InAFolder):
    def setUp(self):
        super().setUp()
        self.jar = os.environ["HOLDFAST_JAR"] = self.file("holdfast-spark.jar")
        os.environ["SPARK_CONF_DIR"] = str(self.folder)

    def refused(self, pattern, existing=None):
        with self.assertLogs("holdfast", "WARNING") as logs:
            self.assertEqual(holdfast.conf(existing), existing or {})
        (line,) = logs.output
        self.assertRegex(line, pattern)
        with self.assertRaisesRegex(RuntimeError, pattern):
            holdfast.conf({**(existing or {}), "spark.holdfast.required": "true"})

    def test_jar_and_plugin(self):
        self.assertEqual(holdfast.conf(), {"spark.jars": self.jar, "spark.plugins": PLUGIN})

    def test_what_the_application_has_is_kept_and_ours_comes_last(self):
        had = {"spark.jars": "a.jar, b.jar", "spark.plugins": f"{PLUGIN},x.Other", "spark.app.name": "report"}
        expected = {
            "spark.jars": f"a.jar,b.jar,{self.jar}",
            "spark.plugins": f"x.Other,{PLUGIN}",
            "spark.app.name": "report",
        }
        self.assertEqual(holdfast.conf(had), expected)
        self.assertEqual(holdfast.conf(had.items()), expected)
        self.assertEqual(holdfast.conf(holdfast.conf(had)), expected, "twice is once")
        self.assertEqual(had["spark.plugins"], f"{PLUGIN},x.Other", "the argument stays as it was")

    def test_the_defaults_file_is_kept_unless_the_application_says_otherwise(self):
        self.file("spark-defaults.conf", "# spark.jars no.jar\nspark.jars\tlib.jar\n spark.plugins = x.Other \nspark.x 1\n")
        expected = {"spark.jars": f"lib.jar,{self.jar}", "spark.plugins": f"x.Other,{PLUGIN}"}
        self.assertEqual(holdfast.conf(), expected)
        self.assertEqual(holdfast.conf({"spark.plugins": "y.Mine"})["spark.plugins"], f"y.Mine,{PLUGIN}")

    def test_plugins_of_the_submit_arguments_are_kept(self):
        for said in ["--conf spark.plugins=x.Other", "--conf=spark.plugins=x.Other", "-c 'spark.plugins=x.Other'"]:
            os.environ["PYSPARK_SUBMIT_ARGS"] = f"--master local {said} pyspark-shell"
            self.assertEqual(holdfast.conf()["spark.plugins"], f"x.Other,{PLUGIN}", said)

    def test_submit_arguments_whose_jars_displace_ours_leave_spark_as_it_is(self):
        for said in ["--jars a.jar", "--jars=a.jar", "--conf spark.jars=a.jar"]:
            os.environ["PYSPARK_SUBMIT_ARGS"] = f"{said} pyspark-shell"
            self.refused("PYSPARK_SUBMIT_ARGS displace .*: add .*holdfast-spark.jar there", {"spark.app.name": "x"})
            os.environ["PYSPARK_SUBMIT_ARGS"] = f"{said},{self.jar} pyspark-shell"
            self.assertEqual(holdfast.conf()["spark.jars"], f"a.jar,{self.jar}")

    def test_no_jar_leaves_spark_as_it_is(self):
        os.environ["HOLDFAST_JAR"] = "/nowhere/x.jar"
        self.refused("Holdfast .*: HOLDFAST_JAR=/nowhere/x.jar is not a file: name")
        del os.environ["HOLDFAST_JAR"]
        self.refused("there is no holdfast-spark.jar in .*bin: install the wheel")

    def test_a_jar_that_no_list_can_name(self):
        os.environ["HOLDFAST_JAR"] = self.file("a,b.jar")
        self.refused("has a comma")


class FilesTest(InAFolder):
    def python(self, path, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(path)}
        ran = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
        return ran.returncode, ran.stdout.strip(), ran.stderr.strip()

    def installed(self, program):
        """A copy of the package with a program in it, as the wheel has it."""
        package = self.folder / "holdfast"
        (package / "bin").mkdir(parents=True)
        for source in PACKAGE.glob("*.py"):
            (package / source.name).write_text(source.read_text())
        (package / "bin" / "holdfast").write_bytes(program)
        (package / "bin" / "holdfast").chmod(0o755)
        (package / "bin" / _files.NAME).write_text("")
        return package / "bin"

    def test_the_module_of_the_jar_names_the_jar(self):
        jar = self.folder / "any-name.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            for source in PACKAGE.glob("*.py"):
                archive.write(source, f"holdfast/{source.name}")
        said = self.python(jar, "-c", "import holdfast; print(holdfast.conf()['spark.jars'])")
        self.assertEqual(said, (0, str(jar), ""))

    def test_the_wheels_jar_and_program(self):
        folder = self.installed(b"#!/bin/sh\necho \"$0\" \"$@\"\nexit 7\n")
        self.assertEqual(self.python(self.folder, "-c", "import holdfast; print(holdfast.jar())")[1], str(folder / _files.NAME))
        self.assertEqual(self.python(self.folder, "-m", "holdfast", "jar", "x y"), (7, f"{folder}/holdfast jar x y", ""))

    def test_a_program_of_another_platform_is_named(self):
        foreign = b"\x7fELF\x02\x01\x01" + bytes(9) + (2).to_bytes(2, "little") + (0xFFFF).to_bytes(2, "little") + bytes(44)
        for program in [foreign, b"#!/nowhere/loader\n"]:
            with self.subTest(program=program[:4]), tempfile.TemporaryDirectory() as folder:
                self.folder = Path(folder)
                self.installed(program)
                code, said, error = self.python(self.folder, "-m", "holdfast", "jar")
                self.assertEqual((code, said), (3, ""))
                self.assertRegex(error, r"^holdfast: .*bin/holdfast is made for another platform than this: install the wheel for \w+ \w+ .*$")


if __name__ == "__main__":
    unittest.main()

"""The packages as people install them. Runs in a Python that has PySpark and the wheel.

Arguments: the folder `dist`, the version in it.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import pyspark

DIST, VERSION = Path(sys.argv.pop(1)), sys.argv.pop(1)
HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
SPARK = Path(pyspark.__file__).parent
OTHER = """
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.*;
public class Other implements SparkPlugin {
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override public Map<String, String> init(SparkContext sc, PluginContext context) {
        System.err.println("the other plugin is on");
        return Map.of();
      }
    };
  }
  public ExecutorPlugin executorPlugin() { return null; }
}
"""
# A straggler leaves slots to whom they do not belong.
SHELL = """
sc.setLocalProperty("spark.scheduler.pool", "important")
val slow = sc.parallelize(0 until 4, 4).map { i => Thread.sleep(400L * i); (i, i) }
val counted = slow.groupByKey(4).count()
val status = io.holdfast.Holdfast.status
println(s"\\ncounted $counted: $status")
:quit
"""


class PackagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.keys = {"spark.holdfast.log.dir": self.folder / "logs"}
        self.keys.update({"spark.eventLog.enabled": "true", "spark.eventLog.dir": (self.folder / "events").as_uri()})
        for name in ("logs", "events"):
            (self.folder / name).mkdir()

    def run_here(self, *command, stdin="", **environment):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYSPARK_", "HOLDFAST_", "SPARK_"))}
        inherited.update(environment, PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}", SPARK_LOCAL_IP="127.0.0.1")
        inherited["PYSPARK_PYTHON"] = sys.executable
        command = [str(part) for part in command]
        return subprocess.run(command, cwd=self.folder, env=inherited, input=stdin, capture_output=True, text=True, timeout=400)

    def holdfast(self, *arguments):
        ran = self.run_here(BIN / "holdfast", *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def crowd(self, before, how, **environment):
        """Runs the program; what it printed at its end and what the driver said."""
        own = [f"{key}={value}" for key, value in self.keys.items()]
        ran = self.run_here(*before, HERE / "crowd.py", how, *own, **environment)
        self.assertEqual(ran.returncode, 0, ran.stderr[-5000:])
        told = json.loads(ran.stdout.strip().splitlines()[-1])
        self.assertEqual((told["counted"], told["spark"]), ([4], pyspark.__version__))
        return told, ran.stdout + ran.stderr  # spark-submit shows what Python writes to either in one

    def slots_lost(self, app):
        (events,) = (self.folder / "events").glob(f"*{app}*")
        key = "spark.holdfast.pool.important.priority=10"
        (application,) = json.loads(self.holdfast("whatif", events, "--json", "--simulate", "0", "--conf", key))["applications"]
        (run,) = [run for run in application["runs"] if run["workflow"] == "pool:important"]
        return sum(run["lost_to"].values())

    def holds(self, told, said):
        """What a run with Holdfast on must show."""
        self.assertIn(f"Holdfast {VERSION} ", said)
        self.assertIn(f"is on: Spark {pyspark.__version__}, mode enforce", said)
        self.assertGreater(told["status"]["holds"]["used"], 0)
        self.assertEqual(told["status"]["holds"]["left"], 0)
        self.assertEqual(self.slots_lost(told["app"]), 0)
        (log,) = (self.folder / "logs").iterdir()
        self.assertIn("decisions: the same", self.holdfast("replay", log))

    def stock(self, told, said, reason):
        self.assertEqual(told["status"]["mode"], "off")
        self.assertEqual(said.count(reason), 1, said[-3000:])
        self.assertNotIn("is on: Spark", said)
        self.assertGreater(self.slots_lost(told["app"]), 0, "without Holdfast the crowd takes slots, or the runs above prove nothing")

    def test_the_wheel_and_an_unchanged_program(self):
        self.holds(*self.crowd([sys.executable], "conf"))

    def test_beside_another_plugin_and_jar(self):
        (self.folder / "Other.java").write_text(OTHER)
        self.run_here("javac", "-cp", SPARK / "jars" / "*", "Other.java").check_returncode()
        classes = [file.name for file in self.folder.glob("Other*.class")]
        self.run_here("jar", "cf", "other.jar", *classes).check_returncode()
        self.keys.update({"spark.plugins": "Other", "spark.jars": self.folder / "other.jar"})
        told, said = self.crowd([sys.executable], "conf")
        self.assertIn("the other plugin is on", said)
        self.holds(told, said)

    def test_spark_submit(self):
        self.assertTrue(Path(self.holdfast("jar").strip()).is_file())
        arguments = self.holdfast("spark-submit-args").split()
        self.holds(*self.crowd([BIN / "spark-submit", *arguments], "stock"))

    def test_in_a_notebook_kernel(self):
        self.holds(*self.crowd([sys.executable, HERE / "kernel.py"], "conf"))

    def test_in_spark_shell(self):
        self.keys["spark.holdfast.pool.important.priority"] = "10"
        arguments = [*self.holdfast("spark-submit-args").split(), "--master", "local[4]"]
        arguments += [part for key, value in self.keys.items() for part in ("--conf", f"{key}={value}")]
        ran = self.run_here(BIN / "spark-shell", *arguments, stdin=SHELL)
        self.assertIn(f"is on: Spark {pyspark.__version__}, mode enforce", ran.stdout + ran.stderr)
        self.assertRegex(ran.stdout, r'(?m)^counted 4: .*"used":[1-9]')
        (log,) = (self.folder / "logs").iterdir()
        self.assertIn("decisions: the same", self.holdfast("replay", log))

    def test_packages_from_a_repository(self):
        keys = {"spark.plugins": "io.holdfast.HoldfastPlugin", "spark.jars.ivy": self.folder / "ivy"}
        submit = [BIN / "spark-submit", "--packages", f"io.holdfast:holdfast-spark:{VERSION}"]
        submit += ["--repositories", (DIST / "maven").as_uri()]
        submit += [part for key, value in keys.items() for part in ("--conf", f"{key}={value}")]
        self.holds(*self.crowd(submit, "stock"))

    def test_the_tarball(self):
        system = {"Darwin": "macos"}.get(platform.system(), "linux")
        name = f"holdfast-{VERSION}-{system}-{platform.machine().replace('arm64', 'aarch64')}"
        self.run_here("tar", "xzf", DIST / f"{name}.tar.gz").check_returncode()
        for file in ("README.md", "LICENSE", "NOTICE", "THIRD-PARTY-LICENSES.txt", "completions/_holdfast"):
            self.assertGreater((self.folder / name / file).stat().st_size, 0)
        ran = self.run_here(self.folder / name / "holdfast", "jar")
        self.assertEqual(ran.stdout.strip(), str(self.folder.resolve() / name / "holdfast-spark.jar"), ran.stderr)

    def test_a_wheel_of_another_platform(self):
        machine = {"x86_64": "aarch64"}.get(platform.machine(), "x86_64")
        (wheel,) = DIST.glob(f"*-py3-none-*linux*_{machine}.whl")
        pip = [BIN / "pip", "install", "--disable-pip-version-check", "--no-index", "--no-deps", "--target", "elsewhere"]
        refused = self.run_here(*pip, wheel)
        self.assertIn("is not a supported wheel on this platform", refused.stderr)
        forced = ["--platform", f"manylinux_2_17_{machine}", "--only-binary=:all:", wheel]
        self.run_here(*pip, *forced).check_returncode()
        ran = self.run_here(sys.executable, "-m", "holdfast", "jar", PYTHONPATH="elsewhere")
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertRegex(ran.stderr, r"^holdfast: .* is made for another platform than this: install the wheel for .*\n$")

    def test_a_jvm_that_runs_already_stays_as_it_is(self):
        told, said = self.crowd([sys.executable], "late")
        self.stock(told, said, "this process already has a JVM, without the jar on its class path: restart Python")

    def test_conf_under_spark_submit_without_the_jar_stays_as_it_is(self):
        told, said = self.crowd([BIN / "spark-submit"], "conf")
        self.stock(told, said, "add to the command what `holdfast spark-submit-args` prints")

    def test_conf_under_spark_submit_with_the_jar(self):
        arguments = self.holdfast("spark-submit-args").split()
        self.holds(*self.crowd([BIN / "spark-submit", *arguments[:2]], "conf"))

    def test_jars_in_the_submit_arguments_are_not_displaced(self):
        other = self.folder / "other.jar"
        zipfile.ZipFile(other, "w").close()
        told, said = self.crowd([sys.executable], "conf", PYSPARK_SUBMIT_ARGS=f"--jars {other} pyspark-shell")
        self.stock(told, said, "displace those of holdfast.conf()")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Whether Holdfast would run with this PySpark, before it does."""

import os
import shutil
import subprocess
import sys

from . import _files
from ._scope import context, status


def doctor(conf=None):
    """Prints whether Holdfast would run with this PySpark and what to do if not, in about ten lines.

    conf: keys and values that the program gives to Spark, as a dict; those of the active SparkContext need not be given.

    Returns whether Holdfast is on in the active SparkContext; without one, whether it would be in the next.
    """
    on, keys = _now()
    keys.update(conf or {})
    try:
        command = _doctor_command()
    except RuntimeError as why:
        print(f"no  Holdfast  {why}")
        return False
    for key, value in keys.items():
        command += ["--conf", f"{key}={value}"]
    said = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    print(said.stdout or f"no  Java      {command[0]} says: {said.stderr.strip() or 'nothing'}\n", end="")
    return said.returncode == 0 if on is None else on


def _now():
    """Whether Holdfast is on, None without a SparkContext, and the keys of that which a start looks at."""
    try:
        sc = context()
    except (ImportError, RuntimeError):
        return None, {}
    starts = ("spark.holdfast.", "spark.dynamicAllocation.", "spark.jars", "spark.driver.extra", "spark.plugins")
    others = ("spark.master", "spark.scheduler.mode")
    keys = {key: value for key, value in sc.getConf().getAll() if key.startswith(starts) or key in others}
    # Not by the status alone: it keeps the last words of an application that this JVM ran before.
    on = ".holdfast." in sc._jsc.sc().taskScheduler().getClass().getName()
    now = status()
    says = now["mode"] if on else "off, " + now.get("reason", "spark.plugins does not name io.holdfast.HoldfastPlugin")
    plugin = "io.holdfast.HoldfastPlugin"
    if on and plugin not in keys.get("spark.plugins", ""):  # the driver's configuration has it no more
        keys["spark.plugins"] = ",".join(filter(None, [keys.get("spark.plugins"), plugin]))
    print(f"{'ok' if on else 'no'}  {'Now':9} this SparkContext: {says}")
    return on, keys


def _doctor_command():
    """What `holdfast doctor` starts, too."""
    try:
        from pyspark.find_spark_home import _find_spark_home
    except ImportError:
        raise RuntimeError(f"there is no pyspark in this Python ({sys.executable}): pip install pyspark") from None
    try:
        home = _find_spark_home()
    except SystemExit:
        raise RuntimeError("this pyspark has no jars: it is a client of Spark Connect; ask where the server runs") from None
    java_home = os.environ.get("JAVA_HOME")
    java = os.path.join(java_home, "bin", "java") if java_home else shutil.which("java")
    if java is None:
        raise RuntimeError("there is no java on the PATH, and JAVA_HOME is not set: install a Java 17 or later")
    if not os.path.isfile(java):
        raise RuntimeError(f"JAVA_HOME={java_home} has no bin/java: set it to the folder of a Java 17 or later")
    try:
        jar = _files.jar()
    except FileNotFoundError as why:
        raise RuntimeError(str(why)) from None
    class_path = os.pathsep.join([jar, os.path.join(home, "jars", "*")])
    return [java, "-cp", class_path, "io.holdfast.Doctor", "--spark-home", home, "--jar", jar]

"""What a PySpark program can say to Holdfast. Everything works, and changes nothing, when Holdfast is off.

    import holdfast

    with holdfast.workflow("report", priority=10, isolation=0.9, parallelism=64):
        ...  # the Spark jobs of this thread belong to the workflow `report`

The module is in the jar: `spark-submit --jars holdfast-spark.jar --py-files holdfast-spark.jar ...`.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys

__all__ = ["doctor", "set_priority", "status", "workflow"]

_PREFIX = "holdfast."  # not as Spark's, which SQL sessions can set
_NO_CONTEXT = (
    "there is no active SparkContext in this process (a Spark Connect client has none: tag its jobs with "
    "spark.addTag(...), and let the server's configuration give spark.holdfast.tag.<glob>.priority)"
)


@contextlib.contextmanager
def workflow(name, priority=None, isolation=None, parallelism=None):
    """The Spark jobs that this thread submits inside belong to the workflow `name`.

    The slots of a workflow with a priority above 0 are kept across the barriers and gaps of its jobs. When scopes are
    nested the outermost counts. When the scope ends, no further job of the workflow is waited for.

    priority: larger is more important; by default that of job group, tag, user or pool, else 0.
    isolation: from 0 to 1: the probability with which slots are to be kept across a barrier.
    parallelism: how many slots the workflow's next job will want.

    Raises ValueError for a blank name or a number out of its range, RuntimeError without a SparkContext.
    """
    if not name or not name.strip():
        raise ValueError("a workflow needs a name")
    if isolation is not None and not 0 <= isolation <= 1:
        raise ValueError(f"the isolation of workflow {name} is {isolation}: give 0 to 1")
    if parallelism is not None and parallelism < 1:
        raise ValueError(f"the parallelism of workflow {name} is {parallelism}: give 1 or more")
    sc = _context()
    if any(sc.getLocalProperty(outer + _PREFIX + "workflow") is not None for outer in ("", "spark.")):
        yield  # the outermost name wins, and all that was said with it
        return
    name = name.strip()
    said = {"workflow": name, "priority": priority, "isolation": isolation, "parallelism": parallelism}
    before = {key: sc.getLocalProperty(_PREFIX + key) for key in said}
    for key, value in said.items():
        if value is not None:
            sc.setLocalProperty(_PREFIX + key, str(value))
    try:
        yield
    finally:
        for key, value in before.items():
            sc.setLocalProperty(_PREFIX + key, value)
        if _facade(sc) is not None:
            _facade(sc).endWorkflow(name)


def set_priority(of, priority):
    """Changes a priority while the application runs, also of what runs already.

    of: what the configuration calls it, for example `pool.reports` or `group.etl-*`; raises ValueError for others.
    """
    kinds = ("group.", "tag.", "description.", "session.", "user.", "pool.")
    if not any(of.startswith(kind) and len(of) > len(kind) for kind in kinds):
        raise ValueError(f"{of} names nobody: give for example pool.reports or group.etl-*")
    facade = _facade(_context())
    if facade is not None:
        facade.setPriority(of, priority)


def status():
    """What the scheduler of this driver does, as a dict: see `Holdfast.status` of the Scala API."""
    facade = _facade(_context())
    if facade is None:
        return {"mode": "off", "reason": "the jar is not on the driver's class path: add --jars holdfast-spark.jar"}
    return json.loads(facade.status())


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
        sc = _context()
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
    jar = _jar()
    class_path = os.pathsep.join([jar, os.path.join(home, "jars", "*")])
    return [java, "-cp", class_path, "io.holdfast.Doctor", "--spark-home", home, "--jar", jar]


def _jar():
    """The jar that this module is in, else that beside it."""
    folder = os.path.dirname(os.path.abspath(__file__))
    jar = folder if os.path.isfile(folder) else os.path.join(folder, "holdfast-spark.jar")
    if not os.path.isfile(jar):
        raise RuntimeError(f"there is no {jar}: import holdfast from the jar, by --py-files holdfast-spark.jar")
    return jar


def _context():
    from pyspark import SparkContext

    sc = SparkContext._active_spark_context
    if sc is None:
        raise RuntimeError(_NO_CONTEXT)
    return sc


def _facade(sc):
    """None without the jar: Py4J takes a name that it does not know for a package."""
    facade = sc._jvm.io.holdfast.Holdfast
    return None if type(facade).__name__ == "JavaPackage" else facade

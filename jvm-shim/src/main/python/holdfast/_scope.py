"""The scope API: which jobs belong together, and how much they matter."""

import contextlib
import json

from ._jvm import facade_of

_PREFIX = "holdfast."  # not as Spark's, which SQL sessions can set
_NO_CONTEXT = (
    "there is no active SparkContext in this process (a Spark Connect client has none: tag its jobs with "
    "spark.addTag(...), and let the server's configuration give spark.holdfast.tag.<glob>.priority)"
)


@contextlib.contextmanager
def workflow(name, priority=None, isolation=None, parallelism=None, deadline=None, error=None):
    """The Spark jobs that this thread submits inside belong to the workflow `name`.

    The slots of a workflow with a priority above 0 are kept across the barriers and gaps of its jobs. When scopes are
    nested the outermost counts. When the scope ends, no further job of the workflow is waited for.

    priority: larger is more important; by default that of job group, tag, user or pool, else 0.
    isolation: from 0 to 1: the probability with which slots are to be kept across a barrier.
    parallelism: how many slots the workflow's next job will want.
    deadline: seconds from each job's submission by which its answer is wanted.
    error: the share of partitions that an answer can do without, from 0 to below 1.

    Raises ValueError for a blank name or a number out of its range, RuntimeError without a SparkContext.
    """
    if not name or not name.strip():
        raise ValueError("a workflow needs a name")
    if isolation is not None and not 0 <= isolation <= 1:
        raise ValueError(f"the isolation of workflow {name} is {isolation}: give 0 to 1")
    if parallelism is not None and parallelism < 1:
        raise ValueError(f"the parallelism of workflow {name} is {parallelism}: give 1 or more")
    if deadline is not None and not deadline > 0:
        raise ValueError(f"the deadline of workflow {name} is {deadline}: give seconds above 0")
    if error is not None and not 0 <= error < 1:
        raise ValueError(f"the error of workflow {name} is {error}: give 0 to below 1")
    sc = context()
    if any(sc.getLocalProperty(outer + _PREFIX + "workflow") is not None for outer in ("", "spark.")):
        yield  # the outermost name wins, and all that was said with it
        return
    name = name.strip()
    said = {"workflow": name, "priority": priority, "isolation": isolation, "parallelism": parallelism}
    said["deadline"] = None if deadline is None else f"{max(1, round(deadline * 1000))}ms"
    said["error"] = error
    before = {key: sc.getLocalProperty(_PREFIX + key) for key in said}
    for key, value in said.items():
        if value is not None:
            sc.setLocalProperty(_PREFIX + key, str(value))
    try:
        yield
    finally:
        for key, value in before.items():
            sc.setLocalProperty(_PREFIX + key, value)
        facade = facade_of(sc._jvm)
        if facade is not None:
            facade.endWorkflow(name)


def set_priority(of, priority):
    """Changes a priority while the application runs, also of what runs already.

    of: what the configuration calls it, for example `pool.reports` or `group.etl-*`; raises ValueError for others.
    """
    kinds = ("group.", "tag.", "description.", "session.", "user.", "pool.")
    if not any(of.startswith(kind) and len(of) > len(kind) for kind in kinds):
        raise ValueError(f"{of} names nobody: give for example pool.reports or group.etl-*")
    facade = facade_of(context()._jvm)
    if facade is not None:
        facade.setPriority(of, priority)


def status():
    """What the scheduler of this driver does, as a dict: see `Holdfast.status` of the Scala API."""
    facade = facade_of(context()._jvm)
    if facade is None:
        fix = "build the session with holdfast.conf(), or add --jars holdfast-spark.jar"
        return {"mode": "off", "reason": f"the jar is not on the driver's class path: {fix}"}
    return json.loads(facade.status())


def context():
    """The active SparkContext; raises RuntimeError without one."""
    from pyspark import SparkContext

    sc = SparkContext._active_spark_context
    if sc is None:
        raise RuntimeError(_NO_CONTEXT)
    return sc

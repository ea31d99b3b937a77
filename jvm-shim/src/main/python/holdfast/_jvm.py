"""The driver's JVM, seen from Python."""

import os


def facade_of(jvm):
    """`io.holdfast.Holdfast` of that JVM; None without the jar, when Py4J takes the name for a package."""
    facade = jvm.io.holdfast.Holdfast
    return None if type(facade).__name__ == "JavaPackage" else facade


def running():
    """The JVM of this process if it has begun, so that its class path is settled; else None.

    Under spark-submit it began before Python: PySpark connects to it by the port in the environment.
    """
    try:
        from pyspark import SparkContext
    except ImportError:  # no PySpark, or its client for Spark Connect
        return None
    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" in os.environ:
        SparkContext._ensure_initialized()
    return SparkContext._jvm if SparkContext._gateway is not None else None

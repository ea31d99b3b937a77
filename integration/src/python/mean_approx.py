"""Spark's own approximate mean, as any program has it: it knows nothing of Holdfast."""

import time

from pyspark import SparkContext

PARTITIONS = 8
ROWS = 100


def slowly(partition, rows):
    """Every second partition takes longer than the action waits."""
    time.sleep(3 if partition % 2 else 0.1)
    return rows


def mean():
    sc = SparkContext.getOrCreate()
    numbers = sc.parallelize(range(PARTITIONS * ROWS), PARTITIONS).mapPartitionsWithIndex(slowly)
    return numbers.meanApprox(timeout=1500, confidence=0.95)

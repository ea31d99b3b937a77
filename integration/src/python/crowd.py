"""A program as people have them: an important pool and a crowd in one application. Prints a line of JSON at its end.

Arguments: `conf` for a program that switches Holdfast on itself by the wheel, `late` for one that does so when its JVM
runs already, `stock` for one that does not; then key=value pairs that the program sets itself.
"""

import json
import sys
import threading
import time

import holdfast
from pyspark.sql import SparkSession

SLOTS = 4

how, own = sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:])
own.update({"spark.master": f"local[{SLOTS}]", "spark.scheduler.mode": "FAIR"})
own.update({"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"})
own["spark.holdfast.pool.important.priority"] = "10"
if how == "late":
    SparkSession.builder.config(map=own).getOrCreate().stop()
builder = SparkSession.builder.config(map=own if how == "stock" else holdfast.conf(own))
spark = builder.appName("crowd").getOrCreate()
sc = spark.sparkContext


def slowly(seconds):
    def work(rows):
        time.sleep(seconds)
        return rows

    return work


def crowd():
    sc.setLocalProperty("spark.scheduler.pool", "background")
    sc.parallelize(range(4 * SLOTS), 4 * SLOTS).mapPartitions(slowly(2.0)).count()


def important():
    """Four stages, each as wide as there are slots; a straggler in the first leaves slots to whom they do not belong."""
    sc.setLocalProperty("spark.scheduler.pool", "important")
    pairs = sc.parallelize(range(SLOTS), SLOTS).mapPartitionsWithIndex(lambda i, rows: slowly(1.0 + i / 2)(rows))
    for _ in range(3):
        pairs = pairs.map(lambda k: (k, k)).partitionBy(SLOTS).map(lambda kv: kv[0]).mapPartitions(slowly(0.3))
    return pairs.count()


sc.parallelize(range(SLOTS), SLOTS).count()  # Python's workers are there
counted = []
threads = [threading.Thread(target=lambda: counted.append(important()))]
threads[0].start()
tracker = sc.statusTracker()
while not any(tracker.getStageInfo(stage).numActiveTasks for stage in tracker.getActiveStageIds()):
    time.sleep(0.05)  # until the important job runs: it takes all slots in one round
threads += [threading.Thread(target=crowd) for _ in range(2)]
for thread in threads[1:]:
    thread.start()
for thread in threads:
    thread.join()
told = {"counted": counted, "status": holdfast.status(), "spark": spark.version, "app": sc.applicationId}
spark.stop()
print("\n" + json.dumps(told))

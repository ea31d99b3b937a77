"""A Spark Connect client of one user, in a process of its own: asks for a query of two stages and prints its rows.

Approximate actions of the Python package, which is in the path, say that they do not work here.
"""

import sys

from holdfast import approximate
from pyspark.sql import SparkSession
from pyspark.sql.functions import count

remote, tag, *settings = sys.argv[1:]
spark = SparkSession.builder.remote(remote).getOrCreate()
if tag:
    spark.addTag(tag)
for setting in settings:
    spark.sql(f"SET {setting}")
rows = spark.range(0, 4000, 1, 4).selectExpr("id % 7 AS key").groupBy("key").agg(count("*").alias("n")).collect()
print(sum(row.n for row in rows))
try:
    approximate.count(spark.range(0, 4), error=0)
    print("a DataFrame of Spark Connect was taken for one with an RDD")
except RuntimeError as why:
    if "Spark Connect has no RDD" not in str(why):
        raise
spark.stop()

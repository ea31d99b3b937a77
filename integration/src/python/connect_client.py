"""A Spark Connect client of one user, in a process of its own: asks for a query of two stages and prints its rows."""

import sys

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
spark.stop()

"""What a PySpark program can say to Holdfast. The scope API works, and changes nothing, when Holdfast is off.

    import holdfast
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.config(map=holdfast.conf()).getOrCreate()  # with the wheel installed: switches it on

    with holdfast.workflow("report", priority=10, isolation=0.9, parallelism=64):
        ...  # the Spark jobs of this thread belong to the workflow `report`

The module is in the wheel, and in the jar: `spark-submit --jars holdfast-spark.jar --py-files holdfast-spark.jar ...`.
"""

from . import approximate
from ._conf import conf
from ._doctor import doctor
from ._files import jar
from ._scope import set_priority, status, workflow

__all__ = ["approximate", "conf", "doctor", "jar", "set_priority", "status", "workflow"]

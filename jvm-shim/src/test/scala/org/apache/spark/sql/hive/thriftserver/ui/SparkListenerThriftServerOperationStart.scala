package org.apache.spark.sql.hive.thriftserver.ui

import org.apache.spark.scheduler.SparkListenerEvent

/** As a vendor's Spark may have it: nothing names its statement. */
class SparkListenerThriftServerOperationStart extends SparkListenerEvent

package io.holdfast.integration.scenarios

import java.util.{Collections, Map => JMap}

import org.apache.spark.SparkContext
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}

/** Somebody else's plugin, which looks at the master and has an executor side. */
class Neighbour extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    override def init(sc: SparkContext, context: PluginContext): JMap[String, String] = {
      Neighbour.master = context.conf.get("spark.master")
      Collections.singletonMap("from", "driver")
    }
  }

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    override def init(context: PluginContext, extra: JMap[String, String]): Unit =
      Neighbour.onExecutor = extra.get("from")
  }
}

object Neighbour {
  @volatile var master = ""
  @volatile var onExecutor = ""
}

package io.holdfast.config

import scala.jdk.CollectionConverters._

/** What the engine is told of an application's configuration. */
object EngineConfig {
  def of(conf: Map[String, String]): java.util.Map[String, Object] = Settings.parse(conf.asJava).engineConfig()
}

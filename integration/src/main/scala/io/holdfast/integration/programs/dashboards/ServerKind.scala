package io.holdfast.integration.programs.dashboards

import org.apache.spark.sql.SparkSession

/** A server that shares its driver's Spark among clients. This module is compiled without it: a driver has it on its class path.
  *
  * @param name in an experiment's file
  * @param title for readers
  * @param mainClass with which people start it
  * @param conf keys that its Spark needs
  */
sealed abstract class ServerKind(
    val name: String,
    val title: String,
    val mainClass: String,
    val conf: Map[String, String]
) {

  /** Starts it on a free port of this machine's loopback, and returns the port.
    *
    * @param spark made with the keys of this server
    */
  def start(spark: SparkSession): Int
}

object ServerKind {
  private val Local = "127.0.0.1"

  private case object Connect
      extends ServerKind(
        "connect",
        "a Spark Connect server",
        "org.apache.spark.sql.connect.service.SparkConnectServer",
        Map(
          // The plugin starts it with the application.
          "spark.plugins" -> "org.apache.spark.sql.connect.SparkConnectPlugin",
          "spark.connect.grpc.binding.address" -> Local,
          "spark.connect.grpc.binding.port" -> "0"
        )
      ) {
    private val Service = "org.apache.spark.sql.connect.service.SparkConnectService$"

    override def start(spark: SparkSession): Int = {
      val service = Class.forName(Service)
      service.getMethod("localPort").invoke(service.getField("MODULE$").get(null)).asInstanceOf[Int]
    }
  }

  private case object Thrift
      extends ServerKind(
        "thrift",
        "a Thrift server",
        "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
        Map(
          "spark.sql.catalogImplementation" -> "hive",
          "spark.hadoop.hive.server2.thrift.bind.host" -> Local,
          "spark.hadoop.hive.server2.thrift.port" -> "0"
        )
      ) {
    override def start(spark: SparkSession): Int = {
      val starts = Class.forName(mainClass).getMethods.find(_.getName == "startWithContext")
      val server = starts
        .getOrElse(throw new IllegalStateException(s"$mainClass of Spark ${spark.version} has no startWithContext"))
        .invoke(null, spark.sqlContext)
      val services = server.getClass.getMethod("getServices").invoke(server).asInstanceOf[java.util.Collection[AnyRef]]
      val ports = services.toArray.toSeq.flatMap { service =>
        service.getClass.getMethods.find(_.getName == "getPortNumber").map(_.invoke(service).asInstanceOf[Int])
      }
      ports.headOption.getOrElse(throw new IllegalStateException(s"$title says no port"))
    }
  }

  val all: Seq[ServerKind] = Seq(Connect, Thrift)

  /** @throws java.lang.IllegalArgumentException if there is none of that name */
  def named(name: String): ServerKind = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(s"server '$name' is unknown; use one of ${all.map(_.name).mkString(", ")}")
    )
}

/** How users of an experiment come to a server.
  *
  * @param kind see [[ServerKind]]
  * @param python with the clients' libraries
  * @param program that a user is, see `users.py`
  */
final case class ServerSpec(kind: String, python: String, program: String) {

  /** Keys of the Spark that is served: `conf`, and what the server needs. */
  def conf(of: Map[String, String]): Map[String, String] = {
    val own = ServerKind.named(kind).conf
    val plugins = Seq(own, of).flatMap(_.get(ServerSpec.Plugins)).mkString(",")
    own ++ of ++ (if (plugins.isEmpty) Map.empty else Map(ServerSpec.Plugins -> plugins))
  }

  /** Starts it in this JVM. */
  def start(spark: SparkSession): Server = Server(this, ServerKind.named(kind).start(spark))
}

object ServerSpec {
  private val Plugins = "spark.plugins"
}

/** A server that runs, on this machine's loopback. */
final case class Server(spec: ServerSpec, port: Int)

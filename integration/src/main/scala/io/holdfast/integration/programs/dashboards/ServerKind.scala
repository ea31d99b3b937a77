package io.holdfast.integration.programs.dashboards

import org.apache.spark.SparkConf
import org.apache.spark.sql.SparkSession

/** A server that shares its driver's Spark among processes. This module is compiled without it: a driver has it on its class path.
  *
  * @param name in an experiment's file
  * @param title for readers
  * @param mainClass with which people start it, and by which Holdfast knows it; none: users have no names, only pools
  * @param conf keys that its Spark needs
  */
sealed abstract class ServerKind(
    val name: String,
    val title: String,
    val mainClass: Option[String],
    val conf: Map[String, String]
) {

  /** Starts it on a free port of this machine's loopback.
    *
    * @param spark made with the keys of this server
    */
  def start(spark: SparkSession): Access
}

/** How a process reaches a server. No case class: the variables may have a secret, which is not to be printed.
  *
  * @param port of this machine's loopback
  * @param variables that the process needs
  */
final class Access(val port: Int, val variables: Map[String, String] = Map.empty)

object ServerKind {
  private val Local = "127.0.0.1"
  private val ThriftServer = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"

  private case object Connect
      extends ServerKind(
        "connect",
        "a Spark Connect server",
        Some("org.apache.spark.sql.connect.service.SparkConnectServer"),
        Map(
          // The plugin starts it with the application.
          "spark.plugins" -> "org.apache.spark.sql.connect.SparkConnectPlugin",
          "spark.connect.grpc.binding.address" -> Local,
          "spark.connect.grpc.binding.port" -> "0"
        )
      ) {
    private val Service = "org.apache.spark.sql.connect.service.SparkConnectService$"

    override def start(spark: SparkSession): Access = {
      val service = Class.forName(Service)
      new Access(service.getMethod("localPort").invoke(service.getField("MODULE$").get(null)).asInstanceOf[Int])
    }
  }

  private case object Thrift
      extends ServerKind(
        "thrift",
        "a Thrift server",
        Some(ThriftServer),
        Map(
          "spark.sql.catalogImplementation" -> "hive",
          "spark.hadoop.hive.server2.thrift.bind.host" -> Local,
          "spark.hadoop.hive.server2.thrift.port" -> "0"
        )
      ) {
    override def start(spark: SparkSession): Access = {
      val starts = Class.forName(ThriftServer).getMethods.find(_.getName == "startWithContext")
      val server = starts
        .getOrElse(throw new IllegalStateException(s"$ThriftServer of Spark ${spark.version} has no startWithContext"))
        .invoke(null, spark.sqlContext)
      val services = server.getClass.getMethod("getServices").invoke(server).asInstanceOf[java.util.Collection[AnyRef]]
      val ports = services.toArray.toSeq.flatMap { service =>
        service.getClass.getMethods.find(_.getName == "getPortNumber").map(_.invoke(service).asInstanceOf[Int])
      }
      new Access(ports.headOption.getOrElse(throw new IllegalStateException(s"$title says no port")))
    }
  }

  /** Programs in Python whose threads run SQL in this driver: each is attached as `spark-submit`'s PythonRunner attaches one. */
  private case object PySpark
      extends ServerKind("pyspark", "PySpark's gateway to the driver", mainClass = None, conf = Map.empty) {
    private val Gateway = "org.apache.spark.api.python.Py4JServer"

    override def start(spark: SparkSession): Access = {
      val conf = spark.sparkContext.getConf
      val gateway = Class.forName(Gateway).getConstructor(classOf[SparkConf]).newInstance(conf).asInstanceOf[AnyRef]
      def call(method: String): Any = gateway.getClass.getMethod(method).invoke(gateway)
      startDaemon { () => call("start"); () }
      val port = call("getListeningPort").asInstanceOf[Int]
      if (port <= 0) throw new IllegalStateException(s"$title does not listen; see the cell's Spark log")
      val secret = call("secret").asInstanceOf[String]
      new Access(port, Map("PYSPARK_GATEWAY_PORT" -> port.toString, "PYSPARK_GATEWAY_SECRET" -> secret))
    }

    /** As PythonRunner does: threads that a daemon makes are daemons, so those of the gateway do not keep the JVM. */
    private def startDaemon(start: Runnable): Unit = {
      val thread = new Thread(start, "py4j-gateway-init")
      thread.setDaemon(true)
      thread.start()
      thread.join()
    }
  }

  val all: Seq[ServerKind] = Seq(Connect, Thrift, PySpark)

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

/** A server that runs. */
final case class Server(spec: ServerSpec, access: Access)

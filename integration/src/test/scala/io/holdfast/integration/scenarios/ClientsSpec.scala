package io.holdfast.integration.scenarios

import java.io.{BufferedReader, InputStreamReader}
import java.net.{InetAddress, Socket}

import scala.util.Using

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import io.holdfast.integration.programs.dashboards.ServerSpec
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, udf}

/** What SQL sessions say, on real queries: Spark copies a session's keys that begin with `spark` into local properties.
  */
class ClientsSpec extends Scenarios {
  private val Slots = 4
  private val pool = "spark.scheduler.pool" -> "important"

  /** A query of two stages, after these statements; its first tasks end one after the other. */
  private def query(app: App, properties: (String, String)*)(statements: String*): Unit = {
    val spark = SparkSession.builder().getOrCreate().newSession()
    val nap = udf { (id: Long) => Thread.sleep(id * 150); id }.asNondeterministic()
    statements.foreach(spark.sql(_).collect())
    val rows = app.run("query", properties: _*) {
      spark.range(0, Slots, 1, Slots).select(nap(col("id")).as("id")).repartition(Slots).count()
    }
    assert(rows == Slots)
  }

  private def withQueries[T](conf: (String, String)*)(body: App => T): T = withHoldfast(
    s"local[$Slots]",
    Seq(
      "spark.sql.shuffle.partitions" -> Slots.toString,
      "spark.sql.warehouse.dir" -> "warehouse-is-not-used"
    ) ++ conf: _*
  )(body)

  test("the application's own isolation, which is in each SQL session, does not come before that of a name") {
    withQueries(
      "spark.holdfast.isolation" -> "0.9",
      "spark.holdfast.pool.important.isolation" -> "0.4",
      "spark.holdfast.pool.important.priority" -> "5"
    ) { app =>
      query(app, pool)()
      val account = Json.tree(Holdfast.status()).required("workflows").get(0)
      val (promised, barriers) = (account.required("promised").asDouble, account.required("barriers").asLong)
      assert(barriers > 0 && (promised / barriers - 0.4).abs < 1e-6, account)
    }
  }

  private val Set = "SET spark.holdfast.priority=2147483647"

  test("a session that sets a priority has it where one user has the driver") {
    withQueries() { app =>
      query(app)(Set)
      assert(made > 0)
    }
  }

  test("and not where clients are ignored; a priority by name is no higher than the highest") {
    withQueries(
      "spark.holdfast.client.properties" -> "ignore",
      "spark.holdfast.priority.max" -> "0",
      "spark.holdfast.pool.important.priority" -> "5"
    ) { app =>
      query(app)(Set, "SET spark.holdfast.workflow=pool:important", "SET spark.holdfast.isolation=1")
      query(app)("SET spark.scheduler.pool=important")
      assert(made == 0)
    }
  }

  /** What a gateway of PySpark says when it gets this secret. */
  private def answer(port: Int, secret: String): String =
    Using.resource(new Socket(InetAddress.getLoopbackAddress, port)) { socket =>
      socket.getOutputStream.write(s"A\n$secret\n".getBytes)
      Option(new BufferedReader(new InputStreamReader(socket.getInputStream)).readLine()).getOrElse("")
    }

  test("a gateway for PySpark's threads wants its secret, and is no server: a priority of a pool is what it says") {
    withQueries("spark.holdfast.pool.important.priority" -> "5", "spark.holdfast.user.*.priority.max" -> "0") { app =>
      val spark = SparkSession.builder().getOrCreate()
      val access = ServerSpec("pyspark", "python", "users.py").start(spark).access
      assert(access.variables("PYSPARK_GATEWAY_PORT") == access.port.toString)
      val secret = access.variables("PYSPARK_GATEWAY_SECRET")
      assert(answer(access.port, secret).startsWith("!y") && !answer(access.port, "guessed").startsWith("!y"))
      query(app, pool)()
      assert(made > 0)
    }
  }

  test("no session sets what the scope API sets") {
    withQueries() { app =>
      query(app)("SET holdfast.priority=5", "SET holdfast.workflow=mine")
      assert(made == 0)
      Holdfast.workflow("mine", 5)(query(app, "holdfast.workflow" -> "mine", "holdfast.priority" -> "5")())
      assert(made > 0)
    }
  }
}

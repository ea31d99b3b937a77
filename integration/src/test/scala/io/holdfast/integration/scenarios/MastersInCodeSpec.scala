package io.holdfast.integration.scenarios

import java.util.{Collections, Map => JMap}

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.deploy.SparkSubmit
import org.apache.spark.sql.SparkSession

/** Sets another master in its init. */
class MasterChanger extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    override def init(sc: SparkContext, context: PluginContext): JMap[String, String] = {
      context.conf.set("spark.master", "local[3]")
      Collections.emptyMap()
    }
  }
  override def executorPlugin(): ExecutorPlugin = null
}

/** What spark-submit runs: masters that a program sets itself. */
object MasterProgram {
  var seen: Seq[(String, String)] = Nil

  def main(args: Array[String]): Unit = {
    note(new SparkContext(new SparkConf().setAppName("the one that was submitted")))
    note(new SparkContext(new SparkConf().setAppName("setMaster").setMaster("local[3]")))
    val conf = new SparkConf().setAppName("after the start")
    val sc = new SparkContext(conf)
    conf.setMaster("local[5]")
    note(sc)
    note(SparkSession.builder().appName("builder").master("local[4]").getOrCreate().sparkContext)
    val first = SparkSession.builder().appName("one").master("local[2]").getOrCreate()
    val again = SparkSession.builder().appName("the same").master("local[7]").getOrCreate()
    assert(again.sparkContext eq first.sparkContext)
    note(again.sparkContext)
  }

  private def note(sc: SparkContext): Unit = {
    seen :+= sc.master -> Internals.schedulerClass(sc)
    assert(sc.parallelize(1 to 4, 4).sum() == 10.0)
    sc.stop()
  }
}

/** Whichever way the master is given. */
class MastersInCodeSpec extends Switching {
  test(
    "spark-submit with a master, and programs that set another: each is what Spark makes of it, and ours schedules"
  ) {
    MasterProgram.seen = Nil
    val plugin = Seq("--conf", s"spark.plugins=${Scenarios.Plugin}", "--conf", "spark.ui.enabled=false")
    SparkSubmit.main(
      (Seq("--master", "local[2]") ++ plugin ++
        Seq("--class", MasterProgram.getClass.getName.stripSuffix("$"), "spark-internal")).toArray
    )
    assert(MasterProgram.seen.map(_._1) == Seq("local[2]", "local[3]", "local[2]", "local[4]", "local[2]"))
    MasterProgram.seen.foreach { case (_, scheduler) =>
      assert(scheduler.startsWith("org.apache.spark.scheduler.holdfast."))
    }
  }

  test("a later plugin sets another master: it counts, and one warning names it") {
    val plugins = "spark.plugins" -> s"${Scenarios.Plugin},${classOf[MasterChanger].getName}"
    val (_, warnings) = Warnings.during(withSpark("local[2]", plugins) { app =>
      assert(app.sc.master == "local[3]" && app.sc.defaultParallelism == 3)
      assert(Internals.schedulerClass(app.sc) == "org.apache.spark.scheduler.TaskSchedulerImpl")
      assert(status.required("mode").asText == "off" && status.required("reason").asText.contains("local[3]"))
      works(app)
    })
    assert(warnings.size == 2, warnings)
    assert(warnings.head.contains(s"put ${Scenarios.Plugin} last"))
    assert(warnings.last.contains("spark.master=local[3] was set after Holdfast's plugin had run"))
  }

  test("a later plugin sets another master, and Holdfast is required: the start fails") {
    val plugins = "spark.plugins" -> s"${Scenarios.Plugin},${classOf[MasterChanger].getName}"
    val failed = intercept[Exception](withSpark("local[2]", plugins, "spark.holdfast.required" -> "true")(works))
    assert(failed.getMessage.contains("spark.holdfast.required=true") && failed.getMessage.contains("local[3]"))
  }

  Seq("3.4.4", "5.0.0").foreach { other =>
    test(s"Spark $other: one warning with what is supported, then Spark's own scheduling") {
      val conf =
        new SparkConf(false).setMaster("local[2]").setAppName(other).setAll(Seq(on, "spark.ui.enabled" -> "false"))
      val (_, warnings) = Warnings.during {
        val sc = new SparkContext(conf) { override def version: String = other }
        try {
          assert(
            Internals.schedulerClass(sc) == "org.apache.spark.scheduler.TaskSchedulerImpl" && sc.master == "local[2]"
          )
          assert(sc.parallelize(1 to 4, 4).sum() == 10.0)
        } finally sc.stop()
      }
      assert(warnings.size == 1, warnings)
      Seq(s"Spark $other with Scala 2.13.", "is not supported (supported: ").foreach(part =>
        assert(warnings.head.contains(part))
      )
    }
  }
}

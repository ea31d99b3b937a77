package io.holdfast.line

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Which Spark is supported, and what is said of one that lacks something. */
class SparkLineSpec extends AnyFunSuite {
  test("each supported Spark and Scala has its implementation, others have none") {
    assert(SparkLine.target("3.5.9", "2.12.18") == "spark35_212")
    assert(SparkLine.target("3.5.0", "2.13.8") == "spark35_213")
    assert(SparkLine.target("4.1.0", "2.13.17") == "spark40")
    assert(SparkLine.target("4.1.0-SNAPSHOT", "2.13.17") == "spark40")
    Seq("4.0.0", "4.1.3-amzn-0").foreach(v => assert(SparkLine.target(v, "2.13.18") == "spark40", v))
    assert(SparkLine.target("4.2.1", "2.13.18") == "spark42")
    Seq("4.3.0", "4.3.7").foreach(v => assert(SparkLine.target(v, "2.13.18") == "spark43", v))
    Seq("3.4.4", "3.50.0", "4.4.0", "4.10.0", "5.0.0", "4.1", "").foreach(v =>
      assert(SparkLine.target(v, "2.13.17") == null, v)
    )
    assert(SparkLine.target("3.5.9", "3.3.1") == null)
    assert(SparkLine.target("4.1.0", "2.12.18") == null)
  }

  test("an unsupported Spark is named") {
    val refused = intercept[IllegalStateException](SparkLine.load("3.4.4"))
    assert(refused.getMessage.contains("Spark 3.4.4") && refused.getMessage.contains("(supported: 3.5 with Scala"))
  }

  test("a vendor's build is told apart") {
    assert(SparkLine.describe("4.1.0") == "4.1.0")
    assert(SparkLine.describe("3.5.3-amzn-0").startsWith("3.5.3-amzn-0 (a build of its own"))
  }

  test("what is missing is named, as a link to it would be resolved") {
    val spark = "org/apache/spark/scheduler/TaskSchedulerImpl"
    val files = new ClassFiles(getClass.getClassLoader)
    def missing(lines: String*) = Links.missing(lines.asJava, files).asScala.toSeq
    assert(
      missing(
        spark,
        " m toString ()Ljava/lang/String;",
        " o postStartHook ()V",
        " m conf ()Lorg/apache/spark/SparkConf;"
      ).isEmpty
    )
    assert(missing("org/apache/spark/Gone", " m a ()V") == Seq("org.apache.spark.Gone"))
    assert(
      missing(spark, " o postStartHook (I)V") == Seq("org.apache.spark.scheduler.TaskSchedulerImpl.postStartHook(I)V")
    )
    assert(missing(spark, " s postStartHook ()V").size == 1, "a static one is another one")
    assert(
      missing(
        "org/apache/spark/internal/config/package$",
        " g MODULE$ Lorg/apache/spark/internal/config/package$;"
      ).isEmpty
    )
    assert(
      missing(
        "org/apache/spark/internal/config/package$",
        " f MODULE$ Lorg/apache/spark/internal/config/package$;"
      ).size == 1
    )
  }

  test("another line's implementation finds what this Spark lacks") {
    assert(Links.missing("spark40").isEmpty)
    val cpus = "org.apache.spark.scheduler.WorkerOffer.cores()Lscala/math/BigDecimal;"
    assert(Links.missing("spark43").contains(cpus))
    assert(!Links.missing("spark35_213").isEmpty)
  }

  test("a Spark without YARN's classes is refused on YARN, by name") {
    val refused = intercept[IllegalStateException](SparkLine.checkYarn("4.1.0"))
    assert(refused.getMessage.contains("Spark 4.1.0 lacks org.apache.spark.scheduler.cluster.Yarn"), refused)
  }

  test("the probe finds fields that are missing") {
    val missing = new Probe()
      .field(classOf[Probe], "missing", classOf[java.util.List[_]])
      .field(classOf[Probe], "missing", classOf[String])
      .missing
    assert(missing.toString == "[Probe.missing]")
  }

  test("the probe passes on the Spark that the tests run on") {
    assert(SparkLine.load("4.1.0").probe.isEmpty)
  }
}

package io.holdfast

import java.io.{ByteArrayOutputStream, PrintStream}

import scala.jdk.CollectionConverters._

import org.apache.spark.api.java.JavaSparkContext
import org.scalatest.funsuite.AnyFunSuite

/** What every Spark with the jar on its class path meets, switched on or not. */
class FacadeSpec extends AnyFunSuite {

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

  test("the cluster manager claims nothing but rewritten masters") {
    val manager = new HoldfastClusterManager
    assert(manager.canCreate("holdfast:local[2]"))
    Seq("local[2]", "yarn", "k8s://h", "spark://h:1", "").foreach(m => assert(!manager.canCreate(m), m))
    assert(!manager.canCreate(null))
  }

  test("an older Java cannot be a driver's: the doctor says so before it starts one") {
    val before = System.setProperty("java.specification.version", "11")
    val (out, heard) = (System.out, new ByteArrayOutputStream)
    System.setOut(new PrintStream(heard, true, "UTF-8"))
    try assert(!Doctor.examine(DoctorArgs.of(Array("--spark-home", "/nowhere", "--jar", "/nowhere.jar"))))
    finally {
      System.setOut(out)
      System.setProperty("java.specification.version", before)
    }
    assert(heard.toString("UTF-8").contains("it needs Java 17 or later in the driver, and this is Java 11"))
  }

  test("jars of this machine in spark.jars") {
    val value = "/a.jar, file:/b.jar,file:///c.jar,local:/d.jar,hdfs://h/e.jar,,s3a://f.jar,g.jar"
    assert(DoctorArgs.localJars(value).asScala == Seq("/a.jar", "/b.jar", "/c.jar", "/d.jar", "g.jar"))
  }

  test("nothing runs on executors") {
    assert(new HoldfastPlugin().executorPlugin == null)
  }

  test("Java programs give lambdas to the scope API") {
    val sc = new JavaSparkContext("local[1]", "java")
    try {
      val said = JavaProgram.scopes(sc).asScala.map(_.asScala.mkString(" "))
      assert(said == Seq("a null null null", "b 10 null null", "c 10 0.5 null", "d 10 0.5 64"))
      assert(intercept[java.io.IOException](JavaProgram.fail()).getMessage == "checked")
      assert(sc.getLocalProperty(Keys.LOCAL_WORKFLOW) == null)
    } finally sc.stop()
  }

  test("the scope API sets, nests and puts back local properties") {
    val sc = new JavaSparkContext("local[1]", "scope")
    try {
      def now = (sc.getLocalProperty(Keys.LOCAL_WORKFLOW), sc.getLocalProperty(Keys.LOCAL_PRIORITY))
      sc.setLocalProperty(Keys.LOCAL_PRIORITY, "2")
      val result = Holdfast.workflow("outer", priority = 10) {
        assert(now == ("outer", "10"))
        Holdfast.workflow("inner", priority = 99)(assert(now == ("outer", "10")))
        assert(now == ("outer", "10"))
        "result"
      }
      assert(result == "result" && now == (null, "2"))
      Holdfast.workflow("isolated", 10, isolation = 0.5)(assert(sc.getLocalProperty(Keys.LOCAL_ISOLATION) == "0.5"))
      assert(sc.getLocalProperty(Keys.LOCAL_ISOLATION) == null)
      assert(intercept[IllegalArgumentException](Holdfast.workflow("w", 1, 1.5)(())).getMessage.contains("1.5"))
      intercept[IllegalStateException](Holdfast.workflow("failing")(throw new IllegalStateException))
      assert(now == (null, "2"))
      intercept[IllegalArgumentException](Holdfast.workflow(" ")(()))
      assert(Holdfast.status().contains("\"mode\":\"off\""))
    } finally sc.stop()
    intercept[IllegalStateException](Holdfast.workflow("late")(()))
  }
}

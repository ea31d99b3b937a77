package io.holdfast

import java.io.{ByteArrayOutputStream, PrintStream}
import java.time.Duration

import scala.jdk.CollectionConverters._

import io.holdfast.approximate.Bound
import io.holdfast.config.Keys
import io.holdfast.entry.DoctorArgs
import org.apache.spark.api.java.JavaSparkContext
import org.scalatest.funsuite.AnyFunSuite

/** What every Spark with the jar on its class path meets, switched on or not. */
class FacadeSpec extends AnyFunSuite {

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
      assert(said == Seq("a null null null", "b 10 null null", "c 10 0.5 null", "d 10 0.5 64", "e null null null"))
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
      def bounds = (sc.getLocalProperty(Keys.LOCAL_DEADLINE), sc.getLocalProperty(Keys.LOCAL_ERROR))
      Holdfast.workflow("timed", 10, Bound.deadline(Duration.ofSeconds(2))) {
        assert(now == ("timed", "10") && bounds == ("2000ms", null))
      }
      Holdfast.workflow("rough", null, Bound.error(0.25))(assert(now == ("rough", "2") && bounds == (null, "0.25")))
      assert(bounds == (null, null))
      assert(intercept[IllegalArgumentException](Holdfast.workflow("w", 1, 1.5)(())).getMessage.contains("1.5"))
      intercept[IllegalStateException](Holdfast.workflow("failing")(throw new IllegalStateException))
      assert(now == (null, "2"))
      intercept[IllegalArgumentException](Holdfast.workflow(" ")(()))
      assert(Holdfast.status().contains("\"mode\":\"off\""))
    } finally sc.stop()
    intercept[IllegalStateException](Holdfast.workflow("late")(()))
  }
}

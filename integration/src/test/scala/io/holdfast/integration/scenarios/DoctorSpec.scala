package io.holdfast.integration.scenarios

import java.io.{ByteArrayOutputStream, PrintStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.spark.SPARK_VERSION

/** `holdfast doctor` about a real Spark: the jars of this class path, laid out as an installation. */
class DoctorSpec extends Scenarios {
  private val plugin = s"spark.plugins=${Scenarios.Plugin}"

  private lazy val home: Path = {
    val home = Files.createTempDirectory("spark")
    val jars = Files.createDirectory(home.resolve("jars"))
    Isolated.sparkJars.map(jar => jars.resolve(jar.getFileName) -> jar).toMap.foreach { case (link, jar) =>
      Files.createSymbolicLink(link, jar)
    }
    Files.createDirectory(home.resolve("conf"))
    home
  }

  private def defaults(lines: String*): Unit = {
    Files.writeString(home.resolve("conf/spark-defaults.conf"), lines.mkString("", "\n", "\n"))
    ()
  }

  /** Exit code, and what it said of each thing, after its mark. */
  private def doctor(options: String*): (Int, Map[String, String]) = {
    val command = Seq(Scenarios.Cli, "doctor", "--spark-home", home.toString, "--jar", Isolated.jar.toString) ++ options
    val builder = new ProcessBuilder(command: _*).redirectErrorStream(true)
    builder.environment().put("JAVA_HOME", sys.props("java.home"))
    val process = builder.start()
    val said = new String(process.getInputStream.readAllBytes(), UTF_8)
    val lines = said.linesIterator.map { line =>
      val (mark, rest) = line.splitAt(4)
      val (what, text) = rest.splitAt(10)
      what.trim -> (mark.trim + " " + text.trim).trim
    }.toMap
    info(said)
    (process.waitFor(), lines)
  }

  private def saidByAStart(conf: (String, String)*): String = {
    val (before, heard) = (System.err, new ByteArrayOutputStream)
    System.setErr(new PrintStream(heard, true, UTF_8))
    try withHoldfast("local[2]", conf: _*)(_ => ())
    finally System.setErr(before)
    heard.toString(UTF_8).linesIterator.find(_.contains(" is on: ")).get
  }

  test("it would run: everything is ok, and the banner is that of a start") {
    val priority = "spark.holdfast.pool.important.priority" -> "10"
    defaults(s"${priority._1} ${priority._2}", "spark.master local[2]", s"spark.jars ${Isolated.jar}")
    val (code, said) = doctor("--conf", plugin)
    assert(code == 0)
    assert(said("Spark").startsWith(s"$SPARK_VERSION with Scala 2.13.") && said("Spark").endsWith(s" in $home"))
    assert(said("Java").startsWith(sys.props("java.version")))
    Seq("Jar", "Scheduler", "Services", "Library", "Keys", "Master", "Plugin").foreach(what =>
      assert(said(what).startsWith("ok "), what)
    )
    assert(said("Keys").contains("1 of Holdfast") && said("To do") == "nothing")
    assert(said("Banner") == saidByAStart(priority))
  }

  test("it would not: each thing that is wrong is named, with the driver's own options") {
    val other = Isolated.copy(Files.createTempDirectory("other").resolve("holdfast-other.jar")) { (name, bytes) =>
      Some(if (name.endsWith("build.properties")) "version=0.0.9\nrevision=c0ffee\n".getBytes else bytes)
    }
    defaults("spark.holdfast.hold.mx 5s", s"spark.driver.extraClassPath $other")
    val noFolder = other.resolve("tmp") // below a file
    val wrong = Seq(
      plugin + ",com.example.Other",
      "spark.master=nonsense",
      s"spark.driver.extraJavaOptions=-Djava.io.tmpdir=$noFolder"
    )
    val (code, said) = doctor(wrong.flatMap(Seq("--conf", _)): _*)
    assert(code == 1)
    Seq(
      "Jar" -> s"0.0.9 (c0ffee) in $other",
      "Library" -> noFolder.toString,
      "Keys" -> "spark.holdfast.hold.mx=5s is not a key of Holdfast; the nearest is spark.holdfast.hold.max",
      "Master" -> "nonsense"
    ).foreach { case (what, part) => assert(said(what).startsWith("no ") && said(what).contains(part), what) }
    assert(said("Banner") == "none: one warning, and Spark's own scheduling")
    assert(said("To do").contains("com.example.Other starts after Holdfast"))
  }

  test("the jar is for the executors only") {
    defaults()
    val (code, said) = doctor("--conf", plugin, "--conf", s"spark.executor.extraClassPath=${Isolated.jar}")
    assert(code == 1)
    assert(said("Plugin").startsWith("no ") && said("Plugin").contains("ClassNotFoundException"))
    assert(said("To do").contains(s"add --jars ${Isolated.jar}"))
  }

  test("a driver's JVM that does not start is said, with its own words") {
    defaults("spark.driver.extraJavaOptions -XX:ThreadStackSize=nonsense")
    val (code, said) = doctor()
    assert(code == 1)
    assert(said("Java").startsWith("no the driver's JVM does not start") && said("Java").contains("ThreadStackSize"))
  }
}

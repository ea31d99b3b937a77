package io.holdfast.integration.run

import java.nio.file.{Files, Paths}

import io.holdfast.integration.Json
import io.holdfast.integration.programs.dashboards.ServerSpec
import org.scalatest.funsuite.AnyFunSuite

/** Experiments whose users come through a server: what their Sparks are given, and what a user is told. */
class ServedSpec extends AnyFunSuite {
  private val files = Paths.get("experiments/dashboards")
  private val python = Files.createTempDirectory("python")
  Files.createDirectories(python.resolve("lib/python3.11/site-packages/pyspark/jars"))

  private val folders = Seq("reports", "inputs", "archives", "cells", "holdfast-jar", "own-jar").map(f => s"--$f=no/$f")
  private def asked(args: String*) = Asked.parse(folders ++ Seq(s"--experiments=$files") ++ args)

  private def withPython = asked(s"--python=$python", "--users=users.py")
  private def experiment(name: String) = Experiments.load(files, name)

  private def keys(name: String): Map[String, Map[String, String]] =
    new ExperimentRun(name, withPython).specs.map(s => s.spark.setting -> s.conf).toMap

  /** The message of who asks for the experiment with a part of its text replaced. */
  private def refusal(from: String, to: String): String = {
    val copy = Files.createTempDirectory("experiments")
    Files.copy(files.resolve("settings.json"), copy.resolve("settings.json"))
    val text = Files.readString(files.resolve("connect.json"))
    assert(text.contains(from))
    Files.writeString(copy.resolve("connect.json"), text.replace(from, to))
    intercept[IllegalArgumentException](Experiments.load(copy, "connect")).getMessage
  }

  test("the plugins of Spark Connect and of Holdfast are both there; stock has the server's") {
    val Connect = "org.apache.spark.sql.connect.SparkConnectPlugin"
    val plugins = keys("connect").view.mapValues(_("spark.plugins")).toMap
    assert(plugins == Map("alone" -> Connect, "fair" -> Connect, "holdfast" -> s"$Connect,io.holdfast.HoldfastPlugin"))
    Seq("thrift", "pyspark").foreach { name =>
      assert(keys(name)("holdfast")("spark.plugins") == "io.holdfast.HoldfastPlugin")
      assert(!keys(name)("fair").contains("spark.plugins"))
    }
  }

  test("the administrator says which users of a server are important, and no pool is") {
    Seq("connect", "thrift").foreach { name =>
      val priorities = keys(name)("holdfast").filter(_._1.endsWith(".priority"))
      assert(priorities == Map("spark.holdfast.user.dashboard-*.priority" -> "10"))
      assert(!keys(name)("fair").exists(_._1.startsWith("spark.holdfast.")))
    }
  }

  test("where users are threads of PySpark programs, the pool is important, and the command line names no server") {
    assert(keys("pyspark")("holdfast").filter(_._1.endsWith(".priority")) == SparkKeys.holdfast - "spark.plugins")
    assert(!keys("pyspark")("fair").exists(_._1.startsWith("spark.holdfast.")))
    val users = Seq("connect", "thrift", "pyspark").map(of => of -> Served.of(experiment(of), withPython))
    assert(users.collect { case (of, Some(served)) if served.arguments.isEmpty => of } == Seq("pyspark"))
  }

  test("a server that there is not, and one for two applications, are refused") {
    val unknown = refusal("\"server\": \"connect\"", "\"server\": \"telnet\"")
    assert(unknown.contains("use one of connect, thrift, pyspark"))
    assert(refusal("[\"alone\"", "[\"apart\"").contains("setting 'apart' has two applications"))
  }

  test("whoever runs it without a Python is told what gives one") {
    val why = intercept[IllegalArgumentException](new ExperimentRun("thrift", asked()).specs).getMessage
    assert(why.contains("./gradlew dashboards"))
  }

  test("a server's keys give way to those of the experiment") {
    val spec = ServerSpec("connect", "python", "users.py")
    assert(spec.conf(Map("spark.connect.grpc.binding.port" -> "15002"))("spark.connect.grpc.binding.port") == "15002")
    assert(Json.read[ServerSpec](Json.write(spec)) == spec)
  }
}

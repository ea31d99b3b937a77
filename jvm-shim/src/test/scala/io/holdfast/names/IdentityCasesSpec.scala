package io.holdfast.names

import java.nio.file.{Files, Path}
import java.util.Properties

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import io.holdfast.config.Settings
import io.holdfast.identity.Identity
import io.holdfast.notice.Plain
import org.scalatest.funsuite.AnyFunSuite

/** Names of workflows and patterns by the table that the reader of event logs tests itself against, too. */
class IdentityCasesSpec extends AnyFunSuite {
  private val file = Path.of("rust", "trace", "tests", "identity-cases.json")
  private lazy val table = {
    val found = Iterator.iterate(Path.of("").toAbsolutePath)(_.getParent).takeWhile(_ != null).map(_.resolve(file))
    new ObjectMapper().readTree(found.find(Files.exists(_)).getOrElse(fail(s"$file is missing")).toFile)
  }

  private def cases(of: String): Seq[JsonNode] = table.get(of).elements.asScala.toSeq
  private def texts(node: JsonNode): Map[String, String] =
    node.fieldNames.asScala.map(name => name -> node.get(name).asText).toMap
  private def text(node: JsonNode, field: String): Option[String] =
    Option(node.get(field)).filter(!_.isNull).map(_.asText)

  private def identity(properties: Map[String, String], conf: Map[String, String]): Identity = {
    val local = new Properties
    properties.foreach { case (key, value) => local.setProperty(key, value) }
    Identity.of(local, 7, Settings.parse(conf.asJava))
  }

  test("workflows have the names that the table says, after their user where one is known") {
    cases("identities").foreach { node =>
      val user = text(node, "user").map(_.replace("%", "%25").replace("/", "%2F"))
      val name = user.fold("")(user => s"user:$user/").concat(node.get("name").asText)
      val got = identity(texts(node.get("properties")), Map("spark.holdfast.pool.important.priority" -> "10"))
      // A job by itself has the name of nobody.
      val expected = if (name.endsWith("job:7")) "job:7" else Plain.name(name)
      assert(got.name == expected, node)
      assert(got.user == text(node, "user").orNull, node)
    }
  }

  test("patterns fit what the table says") {
    cases("globs").foreach { node =>
      val glob = new Glob(node.get("glob").asText)
      node.get("matches").elements.asScala.foreach(name => assert(glob.matches(name.asText), s"$glob $name"))
      node.get("refuses").elements.asScala.foreach(name => assert(!glob.matches(name.asText), s"$glob $name"))
    }
  }

  test("names give the priorities that the table says") {
    cases("priorities").foreach { node =>
      def keys(kind: String) =
        texts(node.get(s"${kind}s")).map { case (name, value) => s"spark.holdfast.$kind.$name.priority" -> value }
      val properties = text(node, "group").map("spark.jobGroup.id" -> _) ++
        text(node, "pool").map("spark.scheduler.pool" -> _)
      val got = identity(properties.toMap, keys("group") ++ keys("pool"))
      assert(got.priority == node.get("priority").asInt, node)
    }
  }
}

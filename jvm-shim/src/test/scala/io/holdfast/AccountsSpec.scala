package io.holdfast

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

class AccountsSpec extends AnyFunSuite {
  private def account(workflow: String, idleNs: Long, barriers: Int): String =
    s"""{"workflow":$workflow,"made":9,"used":5,"expired":2,"overridden":1,"dropped":1,"idle_ns":$idleNs,""" +
      s""""busy_ns":4000000000,"barriers":$barriers,"kept":3,"promised":2700000,"bound_ns":500000000}"""

  private def read(accounts: String*): Accounts =
    Accounts.read(accounts.mkString("[", ",", "]").getBytes(UTF_8), id => if (id == 1) "pool:important" else null)

  test("each workflow has a line: what it held, what idled, what was promised") {
    assert(
      read(account("1", 1500000000L, 4)).lines.asScala == Seq(
        "Holdfast: pool:important held 9 slots (5 used, 2 expired, 1 overridden, 1 dropped), 1.500 idle held and 4.000" +
          " busy slot-seconds; 3 of 4 barriers kept in time, 2.7 promised; the bound allows 0.500 idle slot-seconds"
      )
    )
  }

  test("without deadlines nothing is said of barriers") {
    assert(read(account("1", 0, 0)).lines.asScala.head.endsWith("busy slot-seconds"))
  }

  test("most idle time first; forgotten names and workflows have stand-ins") {
    val rows = read(account("null", 1, 0), account("7", 3, 0), account("1", 2, 0)).rows.asScala
    assert(rows.map(_.get("workflow")) == Seq("#7", "pool:important", "(others)"))
  }

  test("only the first ten have lines") {
    val lines = read((1 to 12).map(i => account("1", i, 0)): _*).lines.asScala
    assert(lines.size == 11 && lines.last == "Holdfast: 2 further workflows held slots")
  }

  test("no engine, no accounts") {
    assert(Accounts.read(null, _ => null).rows.isEmpty)
  }
}

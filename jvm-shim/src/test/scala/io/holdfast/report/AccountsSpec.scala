package io.holdfast.report

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

class AccountsSpec extends AnyFunSuite {
  private def account(workflow: String, idleNs: Long, barriers: Int, unforeseen: Int = 0): String =
    s"""{"workflow":$workflow,"made":9,"used":5,"expired":2,"overridden":1,"dropped":1,"idle_ns":$idleNs,""" +
      s""""busy_ns":4000000000,"barriers":$barriers,"kept":3,"promised":2700000,"bound_ns":500000000,"barrier_idle_ns":400000000,""" +
      s""""unforeseen":$unforeseen}"""

  /** 1 is a pool's; 2 and 3 are two of alice's; of others nothing is known. */
  private def workflow(id: Int): Accounts.Workflow = id match {
    case 1 => new Accounts.Workflow("pool:important", null, true)
    case 2 | 3 => new Accounts.Workflow(s"sql:$id", "alice", false)
    case _ => null
  }

  private def read(accounts: String*): Accounts =
    Accounts.read(accounts.mkString("[", ",", "]").getBytes(UTF_8), workflow(_))

  test("each workflow has a line: what it held, what idled, what was promised") {
    assert(
      read(account("1", 1500000000L, 4)).lines.asScala == Seq(
        "Holdfast: pool:important held 9 slots (5 used, 2 expired, 1 overridden, 1 dropped), 1.500 idle held and 4.000" +
          " busy slot-seconds; 3 of 4 barriers kept in time, 2.7 promised; 0.400 idle slot-seconds until their" +
          " deadlines, the bound allows 0.500"
      )
    )
  }

  test("who lacked slots when it became wide is told what helps, once, the worst first") {
    val lines = read(account("1", 1, 0, 3), account("7", 0, 0, 40), account("2", 0, 0)).lines.asScala
    assert(
      lines.takeRight(2) == Seq("#7" -> 40, "pool:important" -> 3).map { case (name, slots) =>
        s"Holdfast: $name lacked $slots slots when it became wider than was known: others had been given them" +
          " meanwhile; what helps: the local property holdfast.parallelism, or spark.holdfast.history.dir"
      }
    )
  }

  test("without deadlines nothing is said of barriers") {
    assert(read(account("1", 0, 0)).lines.asScala.head.endsWith("busy slot-seconds"))
  }

  test("most idle time first; forgotten names and workflows have stand-ins") {
    val rows = read(account("null", 1, 0), account("7", 3, 0), account("1", 2, 0)).rows.asScala
    assert(rows.map(_.get("workflow")) == Seq("#7", "pool:important", "(others)"))
  }

  test("what the workflows of a user held adds up") {
    val accounts = read(account("1", 1, 0), account("2", 500000000L, 4), account("3", 1000000000L, 4))
    assert(accounts.users.size == 1)
    val alice = accounts.users.get(0).asScala
    assert(alice("user") == "alice" && alice("made") == 18L && alice("idle_slot_s") == 1.5 && alice("kept") == 6L)
    assert(!alice.contains("workflow"))
    assert(accounts.lines.asScala.last.startsWith("Holdfast: user alice held 18 slots (10 used, 4 expired"))
    assert(read(account("1", 1, 0)).users.isEmpty)
  }

  test("the metrics have lasting names and users, in characters that sinks allow") {
    val sums = read(account("1", 1500000000L, 4), account("2", 500000000L, 4), account("7", 1, 0)).sums.asScala
    assert(sums.keySet.map(_.split('.').init.mkString(".")) == Set("workflow.pool_important", "user.alice"))
    assert(sums.size == 26)
    assert(sums("workflow.pool_important.used") == 5L && sums("workflow.pool_important.idleSlotSeconds") == 1.5)
    assert(sums("user.alice.idleSlotSeconds") == 0.5 && sums("user.alice.promised") == 2.7)
    assert(sums("user.alice.barrierIdleSlotSeconds") == 0.4 && sums("user.alice.boundSlotSeconds") == 0.5)
  }

  test("names that are equal in a metric's characters are summed") {
    val named = Seq("pool:a.b", "pool:a b").zipWithIndex.map { case (name, i) =>
      i -> new Accounts.Workflow(name, null, true)
    }
    val json = Seq("0", "1").map(account(_, 1000000000L, 4)).mkString("[", ",", "]").getBytes(UTF_8)
    val sums = Accounts.read(json, named.toMap.apply(_)).sums.asScala
    assert(sums("workflow.pool_a_b.made") == 18L && sums("workflow.pool_a_b.idleSlotSeconds") == 2.0)
    assert(sums.size == 13)
  }

  test("at most 100 workflows have metrics of their own, those that idle most; the rest is summed") {
    val named = (1 to 250).map(i => i -> new Accounts.Workflow(s"group:g$i", null, true)).toMap
    val json = (1 to 250).map(i => account(i.toString, i * 1000000000L, 0)).mkString("[", ",", "]").getBytes(UTF_8)
    val sums = Accounts.read(json, named.apply(_)).sums.asScala
    val names = sums.keySet.map(_.split('.')(1))
    assert(names == (151 to 250).map(i => s"group_g$i").toSet + "_others_")
    assert(sums("workflow._others_.idleSlotSeconds") == (1 to 150).sum.toDouble)
    assert(sums("workflow._others_.made") == 9L * 150 && sums("workflow.group_g250.made") == 9L)
  }

  test("only the first ten have lines") {
    val lines = read((1 to 12).map(i => account("1", i, 0)): _*).lines.asScala
    assert(lines.size == 11 && lines.last == "Holdfast: 2 further workflows held slots")
  }

  test("no engine, no accounts") {
    assert(Accounts.read(null, _ => null).rows.isEmpty)
    // Of a library that tells something else: the driver goes on without them.
    assert(
      Seq("", "[{", "{}", """[{"workflow":1}]""").forall(j =>
        Accounts.read(j.getBytes(UTF_8), workflow(_)).rows.isEmpty
      )
    )
  }
}

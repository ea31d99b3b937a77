package io.holdfast.integration.programs.dashboards

import org.scalatest.funsuite.AnyFunSuite

class UsersSpec extends AnyFunSuite {
  private val hour = 3600000L
  private val users = Users(BigDecimal("0.1"), seed = 42, spanMs = hour)

  test("the same seed asks for the same, another one does not") {
    assert(users.dashboards(2) == users.copy().dashboards(2))
    assert(users.dashboards(1) != users.copy(seed = 43).dashboards(1))
    assert(users.dashboards(2).take(1) == users.dashboards(1), "one more user changes no other")
  }

  test("dashboards come at exponential times, the popular ones more often") {
    val asks = users.copy(spanMs = 10 * hour).dashboards(1).head.asks
    val times = asks.flatMap(_.dueMs)
    assert(times == times.sorted && times.last < 10 * hour)
    assert(math.abs(asks.size - 4500) < 250, "one in 8 s")
    val counts = Users.Mix.map(q => asks.count(_.name == f"q$q%02d").toDouble)
    assert(math.abs(counts.head / counts(1) - 2) < 0.3 && math.abs(counts.head / counts(3) - 4) < 0.8)
  }

  test("each statement has a number of its own and an important one its pool") {
    val all = users.dashboards(3) ++ users.writers(3) :+ users.notebook
    val ids = all.flatMap(_.asks.map(_.id))
    assert(ids.distinct == ids)
    assert(
      all.map(u => u.kind -> u.pool).distinct == Seq(
        "dashboard" -> "important",
        "etl" -> "background",
        "notebook" -> "background"
      )
    )
  }

  test("writers begin with different statements, overwrite tables of their own, and go on without a time") {
    val writers = users.writers(2)
    assert(writers.map(_.asks.head.name) == Seq("items-by-year", "sorted-orders"))
    assert(writers.flatMap(_.asks.flatMap(_.dueMs)) == Nil)
    for (w <- writers; ask <- w.asks.take(5)) {
      val table = ask.sql.split("\\s+")(3)
      assert(EtlStatements.tables(w.name).exists(_.startsWith(s"create table if not exists $table (")), ask.sql)
    }
  }

  test("a notebook asks in bursts") {
    val times = users.notebook.asks.flatMap(_.dueMs)
    val gaps = times.zip(times.tail).map { case (a, b) => b - a }
    assert(gaps.count(_ == 1500) > times.size / 3 && gaps.exists(_ > 20000))
  }
}

package io.holdfast.integration.report

import io.holdfast.integration.measure.{Literal, StageRun, Statement, Timeline}
import io.holdfast.integration.plan.{RoundPlanSpec, Setting}
import org.scalatest.funsuite.AnyFunSuite

/** Where the time of the slowest queries went, of rounds and answers that were written by hand. */
class SlowestSpec extends AnyFunSuite {
  private val arrived = 1700000000000L

  /** Two dashboard queries at the same time in one pool, and a writer. */
  private val timeline = Timeline(
    Map("a" -> 2),
    2,
    9000,
    Seq(stage(1, 1, 7), stage(2, 1, 7), stage(3, 2, 8), stage(4, 90, 9).copy(foreground = false)),
    Nil,
    Seq(
      Statement(1, "dashboard-1", "dashboard", "q06", 1000, 6000),
      Statement(2, "dashboard-2", "dashboard", "q<14>", 2000, 3000),
      Statement(90, "etl-1", "etl", "scores", 0, 8000)
    ),
    Some("app-1"),
    arrived
  )

  private def stage(id: Int, statement: Int, execution: Long): StageRun =
    Literal.stage(id, 1, 0, 1).copy(statement = Some(statement), execution = Some(execution))

  private val whatif =
    """{"format": "holdfast-whatif", "version": 1, "applications": [{"id": "app-1", "runs": [
      |  {"workflow": "sql:7", "run": 1, "arrival_ms": 1700000001500, "end_ms": 1700000005900, "jct_us": 4400000,
      |   "computing_us": 2000000, "first_wait_us": 400000, "lost_at_barriers_us": 1500000, "locality_wait_us": 0,
      |   "driver_gaps_us": 500000, "lost_to": {"sql:8": 2, "sql:9": 3}},
      |  {"workflow": "job:4", "run": 1, "arrival_ms": 1, "end_ms": 2, "lost_to": {}},
      |  {"workflow": "sql:8", "run": 1, "arrival_ms": 1700000002000, "end_ms": 1700000003000, "jct_us": 1000000,
      |   "computing_us": 1000000, "first_wait_us": 0, "lost_at_barriers_us": 0, "locality_wait_us": 0,
      |   "driver_gaps_us": 0, "lost_to": {}}]}], "unread": []}""".stripMargin

  private val explain =
    """{"format": "holdfast-explain", "version": 1, "parted": null, "holds": [
      |  {"hold": 0, "end": "used", "left_by_stage": 1, "used_by_stage": 2},
      |  {"hold": 1, "end": "used", "left_by_stage": 1, "used_by_stage": 3},
      |  {"hold": 2, "end": "expired", "left_by_stage": 1, "used_by_stage": null},
      |  {"hold": 3, "end": "not needed", "left_by_stage": 2, "used_by_stage": null},
      |  {"hold": 4, "end": null, "left_by_stage": 2, "used_by_stage": null},
      |  {"hold": 5, "end": "used", "left_by_stage": 4, "used_by_stage": 2}]}""".stripMargin

  private val account = Account.read(whatif, explain)
  private def row(id: Int) =
    Slowest.rowOf(timeline.statements.find(_.id == id).get, "dashboards@2", timeline, account, Map("q06" -> 2.0).get)

  test("JSON of both commands is read: only executions count") {
    assert(account.executions.keySet == Set(7L, 8L) && account.holds.size == 6)
    assert(account.executions(7).tookS == 4.4 && account.executions(7).lostTo == Map("sql:8" -> 2, "sql:9" -> 3))
    assert(account.holds.take(2) == Seq(Held(Some(1), Some(2), "used"), Held(Some(1), Some(3), "used")))
    assert(account.holds(4) == Held(Some(2), None, "left"))
  }

  test("a statement's time is divided, and what others did with its slots is told") {
    val first = row(1)
    assert(first.beforeS == 0.5 && first.termsS == Seq(2.0, 0.4, 1.5, 0.0, 0.5) && math.abs(first.afterS - 0.1) < 1e-9)
    assert(first.lostTo == ((2, 3)))
    assert(first.holds.made == 5 && first.holds.used == 2 && first.holds.expired == 1)
    assert(first.holds.otherwise == Map("used elsewhere" -> 1, "not needed" -> 1, "left" -> 1))
    val second = row(2)
    assert(second.holds == Slowest.Holds(0, 1, Map.empty) && second.aloneS.isEmpty && second.lostTo == ((0, 0)))
  }

  test("columns of what took no time are left out") {
    assert(Slowest.header(Seq(row(1), row(2))).slice(3, 5) == Seq("/ median alone", "before"))
    val header = Slowest.header(Seq(row(2)))
    assert(!header.contains("before") && !header.contains("after") && header.contains("locality wait"))
    assert(
      Slowest.cells(Seq(row(1))) ==
        Seq(
          Seq("q06", "dashboard-1", "5.000", "2.50", "0.500", "2.000", "0.400", "1.500", "0.000", "0.500", "0.100") ++
            Seq("5", "2", "1", "left 1, not needed 1, used elsewhere 1")
        )
    )
  }

  test("the sums say how much of all latency each part is") {
    val said = Slowest.sums(Seq(row(1), row(2)))
    assert(said.startsWith("Together 6.000 s: before 0.500 s (8 %), computing 3.000 s (50 %), "))
    assert(
      said.contains("Slots lost: 2 to other dashboard queries, 3 to the background. Holds: 5 made, 3 used, 1 expired")
    )
  }

  private val settings =
    Map("alone" -> Setting("alone", holdfast = false, ""), "holdfast" -> Setting("Holdfast", holdfast = true, ""))

  private def section(accounts: Accounts, workload: String = "dashboards@2"): String = {
    val rounds = Seq("alone" -> None, "holdfast" -> Some("etl")).map { case (setting, beside) =>
      RoundPlanSpec.result(workload, setting, beside, 1)
    }
    new Slowest(new Measures(rounds, _ => timeline), settings, accounts).section
  }

  test("the section has the slowest first, and what is slower than alone") {
    val html = section(app => Either.cond(app == "app-1", account, app))
    assert(html.contains("<h3>Holdfast: the slowest 2 of 2</h3>"))
    assert(html.indexOf("<td>q06</td>") < html.indexOf("<td>q&lt;14&gt;</td>"))
    assert(html.contains("<td>5.000</td><td>1.00</td>") && !html.contains("scores"))
  }

  test("without an answer a line says so, and other programs have no section") {
    val html = section(_ => Left("holdfast whatif failed: <no>"))
    assert(html.contains("<p>Where time went is not known: holdfast whatif failed: &lt;no&gt;.</p>"))
    assert(!html.contains("<table>"))
    assert(section(Accounts.none, workload = "kmeans@8") == "")
  }
}

package io.holdfast.integration.report

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import io.holdfast.integration.Json

/** A SQL execution as `holdfast whatif --by execution` accounts for it.
  *
  * @param arrived epoch ms
  * @param ended epoch ms
  * @param termsS seconds, in the order of [[Account.Terms]]
  * @param lostTo how many tasks had its slots, by their workflow
  */
final case class Accounted(arrived: Long, ended: Long, termsS: Seq[Double], lostTo: Map[String, Long]) {
  def tookS: Double = (ended - arrived) / 1e3
}

/** A hold as `holdfast explain` tells it.
  *
  * @param leftBy the stage whose task left the slot
  * @param usedBy the stage whose task used it
  * @param end how it ended, such as `used`
  */
final case class Held(leftBy: Option[Int], usedBy: Option[Int], end: String)

/** What the program `holdfast` says of an application.
  *
  * @param executions by their number; without those that ran no job
  */
final case class Account(executions: Map[Long, Accounted], holds: Seq[Held])

object Account {
  val Terms: Seq[String] = Seq("computing", "first wait", "lost at barriers", "locality wait", "driver gaps")

  /** The workflow of an execution. */
  private val Execution = "sql:([0-9]+)".r

  /** Reads the JSON of both commands. */
  def read(whatif: String, explain: String): Account = {
    val runs = Json.tree(whatif).at("/applications/0/runs").elements.asScala
    val executions = runs.flatMap(run => executionOf(run.get("workflow").asText).map(_ -> accounted(run)))
    Account(executions.toMap, Json.tree(explain).get("holds").elements.asScala.map(held).toSeq)
  }

  /** The number of an execution by the name of its workflow. */
  def executionOf(workflow: String): Option[Long] = workflow match {
    case Execution(number) => Some(number.toLong)
    case _ => None
  }

  private def accounted(run: JsonNode) = Accounted(
    run.get("arrival_ms").asLong,
    run.get("end_ms").asLong,
    Terms.map(term => run.get(s"${term.replace(' ', '_')}_us").asLong / 1e6),
    run.get("lost_to").properties.asScala.map(tasks => tasks.getKey -> tasks.getValue.asLong).toMap
  )

  private def held(hold: JsonNode) = {
    def stage(name: String) = Option(hold.get(name)).filterNot(_.isNull).map(_.asInt)
    Held(stage("left_by_stage"), stage("used_by_stage"), hold.path("end").asText("left"))
  }
}

/** Knows what became of applications. */
trait Accounts {

  /** @param application Spark's id of it
    * @return or why there is none
    */
  def of(application: String): Either[String, Account]
}

object Accounts {

  /** Of a runner that has no program to ask. */
  val none: Accounts = _ => Left("the runner was started without --cli")
}

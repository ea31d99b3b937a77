package io.holdfast.integration.programs.dashboards

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include
import com.fasterxml.jackson.databind.annotation.JsonDeserialize

/** A statement that a user is going to ask for.
  *
  * @param dueMs when, since the foreground arrived, whatever the others do; none: when the user's last one has ended
  */
final case class Ask(
    id: Int,
    name: String,
    sql: String,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Long]) dueMs: Option[Long] = None
)

/** A user of a shared application, with all that he or she will ask for.
  *
  * @param kind `dashboard`, `etl` or `notebook`
  * @param pool of the fair scheduler
  */
final case class User(name: String, kind: String, pool: String, asks: Seq[Ask])

object User {
  val Dashboard = "dashboard"
  val Etl = "etl"
  val Notebook = "notebook"
}

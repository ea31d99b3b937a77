package io.holdfast.integration.measure

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include

/** A statement as the user saw it who asked for it; times in ms since the foreground arrived.
  *
  * @param id of this round, see [[Recorder.StatementId]]
  * @param kind of its user: `dashboard`, `etl` or `notebook`
  * @param name of the query
  * @param due when it was to begin: what it waited in its own client counts, too
  * @param error what it failed with
  */
final case class Statement(
    id: Int,
    user: String,
    kind: String,
    name: String,
    due: Long,
    ended: Long,
    @JsonInclude(Include.NON_ABSENT) error: Option[String] = None
) {
  def latencyMs: Long = ended - due
}

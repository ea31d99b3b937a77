package io.holdfast.integration.plan

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.{BackgroundSpec, Foregrounds}

/** One round: a foreground beside a background, or alone.
  *
  * @param round 0 is one that warms up: nothing of it is kept
  * @param brief see [[Part]]
  * @param sampleIdle see [[Part]]
  */
final case class RoundSpec(
    foreground: String,
    background: Option[BackgroundSpec],
    round: Int,
    seed: Long,
    brief: Boolean = false,
    sampleIdle: Boolean = true
) {
  def name(setting: String, block: Int): String =
    s"${Foregrounds.fileName(foreground)}-${background.fold(Result.Alone)(_.name)}-$setting-b$block-r$round"
}

package io.holdfast.integration.measure

import io.holdfast.integration.Json

/** Holdfast's own counters, read by reflection: cells without Holdfast run without its jar. */
final case class HoldfastStatus(holds: HoldsResult, idleSlotS: Double, vetoes: Long, mode: String) {
  def since(before: HoldfastStatus): HoldfastStatus = {
    val (now, earlier) = (holds, before.holds)
    HoldfastStatus(
      HoldsResult(
        now.made - earlier.made,
        now.used - earlier.used,
        now.expired - earlier.expired,
        now.overridden - earlier.overridden,
        now.dropped - earlier.dropped,
        now.left
      ),
      idleSlotS - before.idleSlotS,
      vetoes - before.vetoes,
      mode
    )
  }
}

object HoldfastStatus {

  /** Of `spark.holdfast.linger.max`. */
  val LongestLingerMs = 5000L
  val none: HoldfastStatus = HoldfastStatus(HoldsResult(0, 0, 0, 0, 0, 0), 0.0, 0, "none")

  /** Asks `io.holdfast.Holdfast.status()`. Fails when the jar is missing or Holdfast is off, from the beginning or after an error of its
    * own: a cell that should run with Holdfast and does not would report stock's numbers under its name.
    */
  def read(): HoldfastStatus =
    parse(Class.forName("io.holdfast.Holdfast").getMethod("status").invoke(null).toString)

  /** @throws java.lang.IllegalStateException if it says that Holdfast is off */
  def parse(text: String): HoldfastStatus = {
    val json = Json.tree(text)
    if (!json.has("holds") || json.path("mode").asText == "off")
      throw new IllegalStateException(s"Holdfast should run in this cell and is off: $json")
    val holds = json.get("holds")
    def count(name: String) = holds.required(name).asLong
    HoldfastStatus(
      HoldsResult(count("made"), count("used"), count("expired"), count("overridden"), count("dropped"), count("left")),
      json.required("idle_slot_s").asDouble,
      json.required("vetoes").asLong,
      json.required("mode").asText
    )
  }

  /** Holds of a workflow that has ended stay for its linger; waits until they have gone, or three times the longest linger.
    *
    * @param longestLingerMs that is configured, in ms
    */
  def readWhenIdle(longestLingerMs: Long = LongestLingerMs): HoldfastStatus = {
    val until = System.nanoTime() + 3 * longestLingerMs * 1000000L
    var status = read()
    while (status.holds.left > 0 && System.nanoTime() < until) {
      Thread.sleep(50)
      status = read()
    }
    status
  }
}

package org.apache.spark.scheduler.holdfast.loop

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.sys.process.{Process, ProcessLogger}

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

/** What a world came to in the simulator.
  *
  * @param ends
  *   of the workflows, in this run's time
  * @param totals
  *   the engine's counters; missing without Holdfast
  */
private[loop] case class Simulated(launches: Seq[Launch], ends: Seq[Long], totals: JsonNode)

/** The simulator, as `holdfast sim` runs it. */
private[loop] object Simulator {
  private val mapper = new ObjectMapper()
  private val NanosPerMilli = 1000000L

  /** @param world
    *   as [[SimWorld]] writes it
    */
  def run(world: String): Simulated = {
    val folder = Files.createTempDirectory("holdfast-parity")
    val (file, placements) = (folder.resolve("world.json"), folder.resolve("placements.jsonl"))
    try {
      Files.writeString(file, world)
      val outcome = sim(file, placements).path("outcome")
      Simulated(
        Files.readAllLines(placements).asScala.toSeq.map(line => launch(mapper.readTree(line))),
        outcome.path("workflows").asScala.toSeq.map(times => moment(times.path("ended_ns"))),
        outcome.path("totals")
      )
    } finally Seq(file, placements, folder).foreach(Files.deleteIfExists(_))
  }

  private def sim(world: Path, placements: Path): JsonNode = {
    val (said, noted) = (new StringBuilder, new StringBuilder)
    val logger = ProcessLogger(line => said.append(line).append('\n'), line => noted.append(line).append('\n'))
    val command = Seq(sys.props("holdfast.cli"), "sim", world.toString, "--json", "--placements", placements.toString)
    val code = Process(command).!(logger)
    if (code != 0) throw new LoopFailure(s"the simulator fails: $noted")
    mapper.readTree(said.toString)
  }

  private def launch(placement: JsonNode): Launch = Launch(
    moment(placement.path("at_ns")),
    placement.path("executor").asInt,
    placement.path("stage").asInt,
    placement.path("stage_attempt").asInt,
    placement.path("partition").asInt,
    placement.path("attempt").asInt,
    placement.path("copy").asBoolean
  )

  private def moment(nanos: JsonNode): Long = {
    if (nanos.asLong % NanosPerMilli != 0) throw new LoopFailure(s"$nanos ns are no whole milliseconds")
    Timeline.Start + nanos.asLong / NanosPerMilli
  }
}

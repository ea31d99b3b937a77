package io.holdfast.integration.run

import java.nio.file.{Files, Path, StandardOpenOption}
import java.security.MessageDigest

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include
import io.holdfast.integration.Json
import io.holdfast.integration.measure.Origin
import io.holdfast.integration.plan.{Experiment, Quick, Setting}
import io.holdfast.integration.programs.{Foregrounds, TraceFiles}
import org.apache.spark.SPARK_VERSION

/** What rounds were measured with besides the experiment's file.
  *
  * @param scale of TPC-H's tables, if not the experiment's
  * @param replicas the recorded programs that run, each with what its file contains (SHA-256)
  */
final case class Conditions(
    master: Option[String],
    conf: Seq[(String, String)],
    trace: Option[TraceFiles],
    settings: Seq[(String, Setting)],
    replicas: Seq[(String, String)],
    spark: String,
    java: String,
    machine: String,
    @JsonInclude(Include.NON_ABSENT) scale: Option[BigDecimal] = None
)

object Conditions {

  /** Those of rounds that this JVM would measure. */
  def now(experiment: Experiment, settings: Map[String, Setting], asked: Asked): Conditions = {
    // What a setting is called and drawn with does not change its rounds.
    val used = experiment.parts.flatMap(_.settings).distinct.sorted
    val programs = experiment.parts.flatMap(_.programs).distinct.sorted
    val replicas = for {
      program <- programs
      file <- Foregrounds.recording(program, Experiments.replicas(asked.experiments))
    } yield program -> digest(file)
    Conditions(
      asked.master,
      asked.conf.toSeq.sorted,
      asked.trace,
      used.map(s => s -> settings(s).copy(title = "", colour = "")),
      replicas,
      SPARK_VERSION,
      sys.props("java.runtime.version"),
      Origin.machine,
      asked.scale
    )
  }

  private def digest(file: Path): String =
    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)).map(b => f"$b%02x").mkString
}

/** What a folder of rounds says of them: the experiment that they are of, what they were measured with, and by which commands. It is
  * what pages tell, whoever writes them later.
  */
final class Kept(folder: Path) {
  private val experimentFile = folder.resolve("experiment.json")
  private val conditionsFile = folder.resolve("conditions.json")
  private val commandsFile = folder.resolve("commands.txt")

  def experiment: Option[Experiment] = Option.when(Files.exists(experimentFile))(Json.load[Experiment](experimentFile))
  def conditions: Option[Conditions] = Option.when(Files.exists(conditionsFile))(Json.load[Conditions](conditionsFile))
  def commands: Seq[String] =
    if (Files.exists(commandsFile)) Files.readString(commandsFile).linesIterator.toSeq else Nil

  /** Names of the files that say something else, or are not there. */
  def differences(experiment: Experiment, conditions: Conditions): Seq[String] =
    texts(experiment, conditions).collect {
      case (file, text) if Files.notExists(file) || Files.readString(file) != text => file.getFileName.toString
    }

  /** To be called when there are no rounds yet. */
  def begin(experiment: Experiment, conditions: Conditions): Unit = {
    texts(experiment, conditions).foreach { case (file, text) => Files.writeString(file, text) }
    Files.deleteIfExists(commandsFile)
    ()
  }

  /** To be called when rounds are measured. */
  def add(command: String): Unit = if (command.nonEmpty && !commands.contains(command)) {
    Files.writeString(commandsFile, s"$command\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
    ()
  }

  private def texts(experiment: Experiment, conditions: Conditions): Seq[(Path, String)] =
    Seq(experimentFile -> Json.write(Kept.ofRounds(experiment)), conditionsFile -> Json.write(conditions))
}

object Kept {

  /** What of an experiment its rounds depend on: claims may be worded anew. */
  def ofRounds(experiment: Experiment): Experiment =
    experiment.copy(claims = Nil, paper = "", figure = "", quick = Quick())
}

package io.holdfast.integration.run

import io.holdfast.integration.measure.Measured
import io.holdfast.integration.plan.{Experiment, LeftRound, Setting}
import io.holdfast.integration.programs.BackgroundSpec
import io.holdfast.integration.programs.dashboards.ServerKind

/** How rounds were measured: of the rounds, not of whoever writes the page. */
final class About(experiment: Experiment, settings: Map[String, Setting], shown: Measured, kept: Kept) {
  private def known(what: Conditions => String) = kept.conditions.fold("not recorded")(what)

  /** What and how, in words. */
  def lines(left: Seq[LeftRound]): Seq[(String, String)] = {
    val missing = left.map(_.setting).distinct.map(s => s"${left.count(_.setting == s)} of $s")
    Seq(
      "rounds" -> (s"${shown.all.size} measured" +
        (if (missing.isEmpty) "" else s", missing: ${missing.mkString(", ")}")),
      "Spark" -> shown.all.map(_.spark).distinct.mkString(", "),
      "Holdfast" -> versions,
      "Java" -> known(_.java),
      "machine" -> known(_.machine),
      "cluster" -> cluster,
      "users" -> experiment.server.fold("")(s => s"processes, clients of ${ServerKind.named(s).title}")
    ) ++ (for (b <- kept.experiment.toSeq.flatMap(_.parts.flatMap(_.backgrounds)).distinct)
      yield s"background '${b.name}'" -> b.words) ++ Seq(
      "jobs of the trace" -> (if (kinds.contains(BackgroundSpec.Google)) trace else ""),
      "further keys" -> known(c =>
        (kept.experiment.fold(Seq.empty[(String, String)])(keysOf) ++ c.conf)
          .map { case (k, v) => s"$k=$v" }
          .mkString(", ")
      ),
      "seeds" -> shown.all.map(_.seed).distinct.sorted.mkString(", "),
      "command" -> (if (kept.commands.isEmpty) "not recorded" else kept.commands.mkString("; "))
    ).filter(_._2.nonEmpty)
  }

  private def keysOf(of: Experiment): Seq[(String, String)] = of.conf.toSeq ++ (for {
    part <- of.parts.take(1)
    (variant, conf) <- part.variants.toSeq
    (key, value) <- conf
  } yield s"$variant: $key" -> value)

  private def cluster: String = {
    val shape = experiment.cluster
    if (shape.local)
      s"${shape.localMaster}: ${shape.executors} executor processes of ${shape.slots} slots (C1 compiler, serial collector)"
    else {
      val where = known(
        _.master.getOrElse("a standalone cluster on this machine, each worker with an address of its own")
      )
      s"${shape.workers} workers, ${shape.executors} executors of ${shape.slots} slots, $where"
    }
  }

  private def kinds: Seq[String] = kept.experiment.toSeq.flatMap(_.parts.flatMap(_.backgrounds.map(_.kind)))

  private def trace: String = known(
    _.trace.fold("drawn from published statistics")(t =>
      s"sampled from ${t.files.mkString(", ")}, hour ${t.hour}, task times fitted to the experiment's load"
    )
  )

  /** The jar's as each round had it. */
  private def versions: String = {
    val ours = shown.all.filter(r => settings.get(r.setting).exists(_.holdfast))
    val unknown = if (ours.exists(_.holdfast.isEmpty)) Seq("not recorded in some rounds") else Nil
    if (ours.isEmpty) "not run" else (ours.flatMap(_.holdfast).distinct ++ unknown).mkString("; ")
  }
}

package io.holdfast.integration.evaluation

import io.holdfast.integration.{Spread, Svg}

/** What became of a claim.
  *
  * @param values by foreground and background, the worst for the claim first
  * @param missing how many of them have not been measured
  */
final case class Verdict(claim: Claim, values: Seq[(String, Spread)], missing: Int) {
  import Verdict._

  private def isReported = claim.most.isEmpty && claim.least.isEmpty

  def wanted: String = {
    val limits = claim.most.map(m => s"at most ${Svg.plain(m)}") ++ claim.least.map(l => s"at least ${Svg.plain(l)}")
    limits.mkString(", ") + (if (limits.nonEmpty && Measures.everyRound(claim.measure)) " in every round" else "")
  }

  /** The worst; without limits there is no worst, and all are told. */
  def found: String = {
    val told = if (isReported) values else values.take(1)
    val each = told.map { case (where, s) =>
      s"${EvaluationReport.shown(s, if (isWhole(s)) 0 else 3)} ($where, n = ${s.n})"
    }
    if (each.isEmpty) "-" else s"${Measures.title(claim.measure)}: ${each.mkString("; ")}"
  }

  private def isWhole(s: Spread) = Seq(s.min, s.median, s.max).forall(v => v == math.rint(v))

  def row: Seq[String] = Seq(claim.says, wanted, found, says)

  def says: String = values.headOption.fold("not measured") { case (_, s) =>
    val held = claim.most.forall(largest(claim, s) <= _) && claim.least.forall(least(claim, s) >= _)
    if (isReported) "reported"
    else if (!held) "does not hold"
    else if (missing > 0) s"holds for ${values.size} of ${values.size + missing}"
    else "holds"
  }
}

object Verdict {
  val header: Seq[String] = Seq("claim", "wanted", "measured", "verdict")

  /** Decided by each foreground beside each background: what is bad beside one is not made good by another. */
  def of(claim: Claim, measures: Measures): Verdict = {
    val about =
      if (claim.foregrounds.nonEmpty) claim.foregrounds
      else measures.foregrounds.filter(f => claim.background.forall(measures.backgroundsOf(f).contains))
    val cases = for {
      foreground <- about
      beside = claim.background.toSeq ++ (if (claim.background.isEmpty) measures.backgroundsOf(foreground) else Nil)
      background <- if (beside.isEmpty) Seq(None) else beside.map(Some(_))
    } yield
      (if (beside.size > 1) s"$foreground beside ${background.mkString}" else foreground) ->
        measures.spread(claim.measure, foreground, claim.setting, background)
    val found = cases.collect { case (where, Some(spread)) => where -> spread }
    val worstFirst =
      if (claim.least.isEmpty) found.sortBy { case (_, s) => -largest(claim, s) }
      else found.sortBy { case (_, s) => least(claim, s) }
    Verdict(claim, worstFirst, cases.size - found.size)
  }

  private def largest(claim: Claim, s: Spread) = if (Measures.everyRound(claim.measure)) s.max else s.median
  private def least(claim: Claim, s: Spread) = if (Measures.everyRound(claim.measure)) s.min else s.median
}

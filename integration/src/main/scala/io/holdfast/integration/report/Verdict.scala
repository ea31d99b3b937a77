package io.holdfast.integration.report

import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.Spread
import io.holdfast.integration.plan.{Claim, LeftRound}

/** What became of a claim.
  *
  * @param values by foreground and background, the worst for the claim first
  * @param missing how many of them have no value
  * @param left rounds that could still change it
  */
final case class Verdict(claim: Claim, values: Seq[(String, Spread)], missing: Int, left: Int = 0) {
  import Verdict._

  private def isReported = claim.most.isEmpty && claim.least.isEmpty

  def wanted: String = {
    val limits =
      claim.most.map(m => s"at most ${Numbers.plain(m)}") ++ claim.least.map(l => s"at least ${Numbers.plain(l)}")
    limits.mkString(", ") + (if (limits.nonEmpty && Measures.everyRound(claim.measure)) " in every round" else "")
  }

  /** The worst; without limits there is no worst, and all are told. */
  def found: String = {
    val told = if (isReported) values else values.take(1)
    val each = told.map { case (where, s) =>
      s"${s.shown(if (isWhole(s)) 0 else 3)} ($where, n = ${s.n})"
    }
    if (each.isEmpty) "-" else s"${Measures.title(claim.measure)}: ${each.mkString("; ")}"
  }

  private def isWhole(s: Spread) = Seq(s.min, s.median, s.max).forall(v => v == math.rint(v))

  def row: Seq[String] = Seq(claim.says, claim.paper.getOrElse("-"), wanted, found, says)

  def says: String =
    if (values.isEmpty) "not measured"
    else decided + (if (left == 0) "" else s" so far (rounds not measured: $left)")

  private def decided = {
    val held = values.forall { case (_, s) =>
      claim.most.forall(largest(claim, s) <= _) && claim.least.forall(least(claim, s) >= _)
    }
    if (isReported) "reported"
    else if (!held) "does not hold"
    else if (missing > 0) s"holds for ${values.size} of ${values.size + missing}"
    else "holds"
  }
}

object Verdict {
  val header: Seq[String] = Seq("claim", "paper says", "wanted", "measured", "verdict")

  /** Decided by each foreground beside each background: what is bad beside one is not made good by another.
    *
    * @param left rounds of the experiment that have not been measured: no claim holds for what nobody has seen
    */
  def of(claim: Claim, measures: Measures, left: Seq[LeftRound] = Nil): Verdict = {
    val open = left.filter(isAbout(claim, _))
    val all = (measuredCases(claim, measures) ++
      open.filter(_.setting == claim.setting).map(r => r.foreground -> r.background)).distinct
    // Of what has only been measured alone so far, nothing is known but what is left.
    val cases = all.filter { case (f, beside) => beside.nonEmpty || all.forall(c => c._1 != f || c._2.isEmpty) }
    val found = for {
      (foreground, background) <- cases
      spread <- measures.spread(claim.measure, foreground, claim.setting, background)
      several = cases.count(_._1 == foreground) > 1
    } yield (if (several) s"$foreground beside ${background.mkString}" else foreground) -> spread
    val worstFirst =
      if (claim.least.isEmpty) found.sortBy { case (_, s) => -largest(claim, s) }
      else found.sortBy { case (_, s) => least(claim, s) }
    Verdict(claim, worstFirst, cases.size - found.size, open.size)
  }

  /** Foregrounds and what runs beside them, as far as any setting has rounds of them. */
  private def measuredCases(claim: Claim, measures: Measures): Seq[(String, Option[String])] = {
    val about =
      if (claim.foregrounds.nonEmpty) claim.foregrounds
      else measures.foregrounds.filter(f => claim.background.forall(measures.backgroundsOf(f).contains))
    about.flatMap { foreground =>
      val beside =
        claim.background.toSeq ++ (if (claim.background.isEmpty) measures.backgroundsOf(foreground) else Nil)
      (if (beside.isEmpty) Seq(None) else beside.map(Some(_))).map(foreground -> _)
    }
  }

  /** Whether the round is one of the claim's own, or of those that they are compared with. */
  private def isAbout(claim: Claim, round: LeftRound): Boolean =
    (round.setting == claim.setting || Measures.against(claim.measure).contains(round.setting)) &&
      (claim.foregrounds.isEmpty || claim.foregrounds.contains(round.foreground)) &&
      (round.background.isEmpty || claim.background.forall(round.background.contains))

  private def largest(claim: Claim, s: Spread) = if (Measures.everyRound(claim.measure)) s.max else s.median
  private def least(claim: Claim, s: Spread) = if (Measures.everyRound(claim.measure)) s.min else s.median
}

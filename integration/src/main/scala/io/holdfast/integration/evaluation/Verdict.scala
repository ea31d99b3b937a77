package io.holdfast.integration.evaluation

import io.holdfast.integration.{Spread, Svg}

/** What became of a claim.
  *
  * @param value the worst median over the foregrounds; none when nothing was measured
  */
final case class Verdict(claim: Claim, value: Option[(String, Spread)]) {
  def wanted: String =
    (claim.most.map(m => s"at most ${Svg.plain(m)}") ++ claim.least.map(l => s"at least ${Svg.plain(l)}"))
      .mkString(", ")

  def found: String = value.fold("-") { case (foreground, s) =>
    s"${EvaluationReport.shown(s, if (isWhole(s)) 0 else 3)} ($foreground, n = ${s.n}; ${Measures.title(claim.measure)})"
  }

  private def isWhole(s: Spread) = Seq(s.min, s.median, s.max).forall(v => v == math.rint(v))

  def row: Seq[String] = Seq(claim.says, wanted, found, says)

  def says: String = value.fold("not measured") { case (_, s) =>
    val held = claim.most.forall(s.median <= _) && claim.least.forall(s.median >= _)
    if (claim.most.isEmpty && claim.least.isEmpty) "reported" else if (held) "holds" else "does not hold"
  }
}

object Verdict {
  val header: Seq[String] = Seq("claim", "wanted", "measured", "verdict")

  def of(claim: Claim, measures: Measures): Verdict = {
    val about = if (claim.foregrounds.isEmpty) measures.foregrounds else claim.foregrounds
    val found = about.flatMap(f => measures.spread(claim.measure, f, claim.setting, claim.background).map(f -> _))
    val sorted = found.sortBy(_._2.median)
    Verdict(claim, if (claim.least.isEmpty) sorted.lastOption else sorted.headOption)
  }
}

package io.holdfast.integration.plan

import com.fasterxml.jackson.databind.annotation.JsonDeserialize

/** What is to be shown, and how it is decided: by the measure's worst median over all foregrounds and backgrounds, or, of what must
  * not happen at all, by the worst round.
  *
  * @param says the claim in words
  * @param paper what the paper says about it; none: nothing
  * @param measure see [[Measures]]
  * @param background its name; none: each, or alone
  * @param foregrounds those that it is about; none: all
  * @param most the largest value with which it holds
  * @param least the least value with which it holds
  */
final case class Claim(
    says: String,
    measure: String,
    setting: String,
    background: Option[String] = None,
    foregrounds: Seq[String] = Nil,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) most: Option[Double] = None,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) least: Option[Double] = None,
    paper: Option[String] = None
)

package io.holdfast.integration

package object bench {

  /** Names end with the unit. */
  type Measured = Map[String, Double]
}

package org.apache.spark.scheduler.holdfast.loop

import scala.util.control.NonFatal

import org.scalatest.{BeforeAndAfterAll, Suite}

/** A context for a suite's runs, and how many there are to be. */
private[loop] trait LoopFixture extends BeforeAndAfterAll { this: Suite =>
  protected lazy val context = new LoopContext

  override protected def afterAll(): Unit = {
    context.close()
    super.afterAll()
  }

  protected def number(name: String, default: Int): Int = sys.props.get(s"holdfast.loop.$name").fold(default)(_.toInt)

  protected val firstSeed: Long = number("seed", 1).toLong

  /** Runs the check in random worlds. A failure names the seed, the smallest world that fails, and how to repeat it. */
  protected def inWorlds(worlds: Int)(check: World => Unit): Unit =
    (firstSeed until firstSeed + worlds).foreach { seed =>
      val world = RandomWorld(seed)
      failure(world, check).foreach { message =>
        val small = Shrink(world, failure(_, check).isDefined)
        fail(
          s"seed $seed: $message\nin a small world: ${failure(small, check).getOrElse("it does not fail again")}\n" +
            s"$small\nrepeat: ./gradlew :jvm-shim:test -Pspecs=${getClass.getSimpleName} -Ploop.seed=$seed -Ploop.runs=1"
        )
      }
    }

  private def failure(world: World, check: World => Unit): Option[String] =
    try {
      check(world)
      None
    } catch {
      case NonFatal(e) => Some(e.toString + e.getStackTrace.take(LoopFixture.Frames).mkString("\n  ", "\n  ", ""))
    }

  /** How two runs part, if they do. */
  protected def difference(stock: Outcome, other: Outcome): Option[String] = {
    val at = stock.launches.zip(other.launches).indexWhere { case (a, b) => a != b }
    if (at < 0 && stock.launches.size == other.launches.size) None
    else {
      val number = if (at < 0) math.min(stock.launches.size, other.launches.size) else at
      def show(launches: Seq[Launch]): String = launches.lift(number).fold("nothing")(_.toString)
      Some(s"launch $number is ${show(other.launches)} instead of ${show(stock.launches)}")
    }
  }
}

private object LoopFixture {
  val Frames = 3
}

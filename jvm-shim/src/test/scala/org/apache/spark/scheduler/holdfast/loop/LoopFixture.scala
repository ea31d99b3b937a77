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

  /** What says how many worlds there are to be. */
  protected def worldsKey: String = "runs"

  /** Worlds in which Spark itself lets a job wait for ever. */
  private var forgotten = 0

  /** Runs the check in random worlds. A failure names the first seed, the smallest world that fails, and the command. */
  protected def inWorlds(worlds: Int, make: Long => World = RandomWorld(_))(check: World => Unit): Unit = {
    forgotten = 0
    val failed = (firstSeed until firstSeed + worlds).flatMap(seed => failure(make(seed), check).map(seed -> _))
    // One of 10,000 worlds, when this was written.
    if (forgotten > math.max(1, worlds / 1000)) fail(s"Spark forgets a task in $forgotten of $worlds worlds")
    failed.headOption.foreach { case (seed, message) =>
      def kind(message: String): String = message.takeWhile(_ != ':')
      val small = Shrink(make(seed), failure(_, check).exists(kind(_) == kind(message)))
      fail(
        s"${failed.size} of $worlds worlds, seeds ${failed.map(_._1).mkString(", ")}; the first: $message\n" +
          s"in a small world: ${failure(small, check).getOrElse("it does not fail again")}\n$small\n" +
          s"repeat: ./gradlew :jvm-shim:test -Pspecs=${getClass.getSimpleName} -Ploop.seed=$seed -Ploop.$worldsKey=1"
      )
    }
  }

  private def failure(world: World, check: World => Unit): Option[String] =
    try {
      check(world)
      None
    } catch {
      case _: SparkForgets =>
        forgotten += 1
        None
      case NonFatal(e) => Some(e.toString + e.getStackTrace.take(LoopFixture.Frames).mkString("\n  ", "\n  ", ""))
    }

  /** How two runs part, if they do. */
  protected def difference(expected: Seq[Launch], found: Seq[Launch]): Option[String] = {
    val at = expected.zip(found).indexWhere { case (a, b) => a != b }
    if (at < 0 && expected.size == found.size) None
    else {
      val number = if (at < 0) math.min(expected.size, found.size) else at
      def show(launches: Seq[Launch]): String = launches.lift(number).fold("nothing")(_.toString)
      val before = expected.slice(number - LoopFixture.Before, number).map("\n  " + _).mkString
      Some(s"launch $number is ${show(found)} instead of ${show(expected)}; before it:$before")
    }
  }
}

private object LoopFixture {
  val Frames = 3
  val Before = 3
}

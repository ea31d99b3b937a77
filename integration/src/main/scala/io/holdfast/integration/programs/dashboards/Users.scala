package io.holdfast.integration.programs.dashboards

import java.util.SplittableRandom

import io.holdfast.integration.measure.Recorder
import io.holdfast.integration.programs.Tpch

/** What users ask for, drawn from a seed. Pure.
  *
  * @param scale of TPC-H's tables
  * @param spanMs the last statement with a time of its own is due before it ends
  * @param thinkMs mean time between two statements of one user with dashboards
  */
final case class Users(scale: BigDecimal, seed: Long, spanMs: Long = 180000, thinkMs: Long = 8000) {
  import Users._

  /** Users who look at dashboards: at times that no answer delays each asks for one of a few short queries, the first more often than
    * the second and so on (Zipf).
    */
  def dashboards(users: Int): Seq[User] = (1 to users).map { u =>
    val random = stream(u)
    val times = arrivals(random, thinkMs)
    val asks = times.toSeq.zipWithIndex.map { case (at, i) => tpch(u, i, zipf(random), random, Some(at)) }
    User(s"dashboard-$u", User.Dashboard, Recorder.Foreground, asks)
  }

  /** All queries of the dashboards, one by one, so that classes are loaded. */
  def loading: User = {
    val random = stream(0)
    User(
      "dashboard-0",
      User.Dashboard,
      Recorder.Foreground,
      Mix.zipWithIndex.map { case (q, i) => tpch(0, i, q, random, None) }
    )
  }

  /** Writers, each with a statement after the other. */
  def writers(count: Int): Seq[User] = (1 to count).map { w =>
    val name = s"etl-$w"
    val asks = (0 until ManyStatements).map { i =>
      val (title, sql) = EtlStatements.statement(name, w + i)
      Ask(id(Writers + w, i), title, sql)
    }
    User(name, User.Etl, Recorder.Background, asks)
  }

  /** A user of a notebook: now and then some queries, any of the dashboards', shortly after each other. */
  def notebook: User = {
    val random = stream(Writers)
    val bursts = arrivals(random, BurstMs)
    val times = bursts.flatMap(at => (0 to random.nextInt(LongestBurst)).map(at + _ * CellMs)).toSeq
    val asks = times.zipWithIndex.map { case (at, i) =>
      tpch(Writers, i, Mix(random.nextInt(Mix.size)), random, Some(at))
    }
    User("notebook", User.Notebook, Recorder.Background, asks)
  }

  private def tpch(user: Int, number: Int, query: Int, random: SplittableRandom, due: Option[Long]): Ask =
    Ask(id(user, number), Tpch.name(query), Tpch.statement(query, scale, random.nextLong(1, Long.MaxValue)), due)

  private def arrivals(random: SplittableRandom, meanMs: Long): Iterator[Long] =
    Iterator.iterate(exponential(random, meanMs))(_ + exponential(random, meanMs)).takeWhile(_ < spanMs)

  private def stream(user: Int) = new SplittableRandom(seed * 1000003 + user).split()
}

object Users {

  /** Of dashboards, the most popular first: those that are short. */
  private[dashboards] val Mix = Seq(6, 14, 1, 12, 4, 22, 3, 10, 19, 11, 16, 5)

  /** Between two bursts of the notebook, and between two statements of a burst. */
  private val BurstMs = 40000L
  private val CellMs = 1500L
  private val LongestBurst = 4

  /** More than a writer can do in a round. */
  private val ManyStatements = 200

  /** Numbers from here on are not of dashboards' users. */
  private val Writers = 100

  private val weights = Mix.indices.map(i => 1.0 / (i + 1)).scanLeft(0.0)(_ + _).tail

  private def zipf(random: SplittableRandom): Int = {
    val u = random.nextDouble() * weights.last
    Mix(weights.indexWhere(u < _))
  }

  private def exponential(random: SplittableRandom, meanMs: Long): Long =
    math.round(-math.log(1 - random.nextDouble()) * meanMs)

  private def id(user: Int, number: Int) = 10000 * user + number
}

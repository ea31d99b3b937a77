package org.apache.spark.scheduler.holdfast.sparkline

import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.InternalAccumulator.{input, shuffleRead}
import org.apache.spark.util.{AccumulatorContext, AccumulatorV2, LongAccumulator}

/** How far the attempts of one task set are: what they have read, against what finished tasks of their size have.
  *
  * Records, and bytes only where records are not counted: a reader takes bytes in large blocks, and a small split whole,
  * before the task has done anything with them. So nothing is known before the first task has finished; no copy is made
  * before that either.
  *
  * @param sizes
  *   how much each task reads, see [[Sizes]]
  */
private[holdfast] class Progress(sizes: Array[Long]) {
  import Progress._

  /** Records of finished tasks for each byte of theirs, sorted. */
  private val pace = ArrayBuffer.empty[Double]
  private val weight = if (sizes.isEmpty) 1.0 else math.max(1.0, sizes.map(_.toDouble).sum / sizes.length)

  private def size(index: Int): Double = if (sizes.isEmpty) 1.0 else math.max(sizes(index).toDouble, weight / 10)

  /** Tasks of the attempts that run: heartbeats do not come under Spark's lock. */
  private val running = new ConcurrentHashMap[Long, Int]

  def launched(tid: Long, index: Int): Unit = running.put(tid, index)

  /** An attempt has left its slot. */
  def ended(tid: Long): Unit = running.remove(tid)

  /** A task has finished. */
  def finished(index: Int, updates: Iterable[AccumulatorV2[_, _]]): Unit = {
    val records = Read.of(updates).records / size(index)
    synchronized {
      if (pace.length < Most) {
        val place = pace.indexWhere(_ > records)
        pace.insert(if (place < 0) pace.length else place, records)
      }
    }
  }

  /** The share that an attempt has read, in millionths, if that can be told. */
  def share(tid: Long, updates: Iterable[AccumulatorV2[_, _]]): Option[Int] =
    if (running.containsKey(tid)) shareOf(running.get(tid), updates) else None

  private def shareOf(index: Int, updates: Iterable[AccumulatorV2[_, _]]): Option[Int] = {
    val median = synchronized(if (pace.isEmpty) -1.0 else pace((pace.length - 1) / 2))
    if (median < 0) None
    else {
      val read = Read.of(updates)
      val share =
        if (median > 0) read.records / (median * size(index))
        else if (sizes.isEmpty || sizes(index) == 0) 0.0
        else read.bytes.toDouble / sizes(index)
      Some((math.min(share, Cap) * Whole).toInt).filter(_ > 0)
    }
  }
}

private[holdfast] object Progress {
  private val Whole = 1000000

  /** Who has read all has still to compute with it. */
  private val Cap = 0.99

  /** So many finished tasks are enough for a median. */
  private val Most = 1000

  private class Read(val records: Long, val bytes: Long)

  private object Read {
    def of(updates: Iterable[AccumulatorV2[_, _]]): Read = {
      var records, bytes = 0L
      updates.foreach {
        case counter: LongAccumulator =>
          name(counter) match {
            case input.RECORDS_READ | shuffleRead.RECORDS_READ => records += counter.sum
            case input.BYTES_READ | shuffleRead.REMOTE_BYTES_READ | shuffleRead.LOCAL_BYTES_READ => bytes += counter.sum
            case _ =>
          }
        case _ =>
      }
      new Read(records, bytes)
    }

    /** An executor does not send the names of Spark's own; in one process it does not even look them up. */
    private def name(counter: LongAccumulator): String =
      try counter.name.orElse(AccumulatorContext.get(counter.id).flatMap(_.name)).getOrElse("")
      catch { case Survivable(_) => "" } // its stage is over
  }
}

package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{MapOutputTrackerMaster, NarrowDependency, Partition, ShuffleDependency, SparkEnv}
import org.apache.spark.rdd.{HadoopPartition, NewHadoopPartition, RDD}
import org.apache.spark.scheduler.{DAGScheduler, TaskSet}

/** How many bytes each task of a set will read: lengths of input splits, and what earlier stages wrote for it. Only for the
  * DAG scheduler's event loop.
  */
private[holdfast] object Sizes {

  /** Nothing is known of any task. */
  val Unknown: Array[Long] = Array.empty

  /** A stage whose tasks read more partitions than this together stays unknown: a union of unions may repeat itself. */
  private val MostVisits = 1000000

  /** No task counts as less than this part of the mean one: each takes some time to begin. */
  private val Least = 10

  /** Units of the mean task. */
  private val Mean = 10000

  /** Whatever is odd about a program's own RDDs: its sizes are unknown then. */
  def of(dag: DAGScheduler, taskSet: TaskSet): Array[Long] =
    try
      dag.stageIdToStage.get(taskSet.stageId) match {
        case Some(stage) =>
          val reader = new Reader(dag)
          val sizes = taskSet.tasks.map(task => reader.bytes(stage.rdd, task.partitionId))
          if (reader.visits > MostVisits || sizes.forall(_ == 0)) Unknown else sizes
        case None => Unknown
      }
    catch { case Survivable(_) => Unknown }

  /** As the engine takes them; none where all tasks are alike. */
  def units(sizes: Array[Long]): Option[Array[Int]] =
    if (sizes.isEmpty || sizes.forall(_ == sizes.head)) None
    else {
      val mean = math.max(1.0, sizes.map(_.toDouble).sum / sizes.length)
      Some(sizes.map(size => math.max(size / mean, 1.0 / Least)).map(share => (share * Mean).round.toInt))
    }

  private class Part(val rdd: RDD[_], val index: Int)

  private class Reader(dag: DAGScheduler) {
    private val outputs = mutable.HashMap.empty[Int, Array[Long]]
    var visits = 0

    /** What is cached, or neither a file nor a shuffle, counts nothing. */
    def bytes(rdd: RDD[_], partition: Int): Long = {
      var sum = 0L
      val open = ArrayBuffer(new Part(rdd, partition))
      while (open.nonEmpty && visits <= MostVisits) {
        visits += 1
        val next = open.remove(open.length - 1)
        if (dag.getCacheLocs(next.rdd)(next.index).isEmpty) {
          val own = length(next.rdd.partitions(next.index))
          if (own > 0) sum += own
          else
            next.rdd.dependencies.foreach {
              case shuffle: ShuffleDependency[_, _, _] => sum += written(shuffle, next)
              case narrow: NarrowDependency[_] => narrow.getParents(next.index).foreach(open += new Part(narrow.rdd, _))
              case _ =>
            }
        }
      }
      sum
    }

    /** Where each partition reads one of the shuffle; SQL may read several in one, or one in parts. */
    private def written(shuffle: ShuffleDependency[_, _, _], reader: Part): Long =
      if (reader.rdd.partitions.length != shuffle.partitioner.numPartitions) 0
      else
        outputs.getOrElseUpdate(
          shuffle.shuffleId,
          SparkEnv.get.mapOutputTracker match {
            case master: MapOutputTrackerMaster => master.getStatistics(shuffle).bytesByPartitionId
            case _ => new Array[Long](shuffle.partitioner.numPartitions)
          }
        )(reader.index)
  }

  private def length(partition: Partition): Long = partition match {
    case hadoop: HadoopPartition => hadoop.inputSplit.value.getLength
    case hadoop: NewHadoopPartition => hadoop.serializableHadoopSplit.value.getLength
    case other => ofSql(other)
  }

  private val FilePartition = "org.apache.spark.sql.execution.datasources.FilePartition"

  /** Spark's SQL may be missing, so its partitions are known by name only. */
  private def ofSql(partition: AnyRef): Long = partition.getClass.getName match {
    case FilePartition =>
      call(partition, "files").asInstanceOf[Array[AnyRef]].map(call(_, "length").asInstanceOf[Long]).sum
    case "org.apache.spark.sql.execution.datasources.v2.DataSourceRDDPartition" =>
      val parts = call(partition, "inputPartitions").asInstanceOf[scala.collection.Seq[AnyRef]]
      parts.filter(_.getClass.getName == FilePartition).map(ofSql).sum
    case _ => 0
  }

  private def call(on: AnyRef, method: String): AnyRef = on.getClass.getMethod(method).invoke(on)
}

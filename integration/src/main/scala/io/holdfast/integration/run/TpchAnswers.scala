package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.Json
import io.holdfast.integration.programs.Tpch
import org.apache.spark.sql.types.{DataType, DateType, DecimalType, DoubleType, IntegerType, LongType, StringType}
import org.apache.spark.sql.{Row, SparkSession}

/** Answers TPC-H's queries on Spark, for another engine to be compared with: each with the values that the specification validates
  * with, and with drawn ones. Leaves statements and answers as files.
  */
object TpchAnswers {

  /** @param data the folder of one scale
    * @param answers the folder of the files
    */
  final case class Spec(data: String, answers: String, scale: BigDecimal, seed: Long)

  /** What a query answered.
    *
    * @param kinds of the columns: `whole`, `real`, `text` or `date`
    */
  final case class Answer(kinds: Seq[String], rows: Seq[Seq[Option[String]]])

  /** The only argument is a [[Spec]] as JSON. */
  def main(args: Array[String]): Unit = {
    val spec = Json.read[Spec](args(0))
    val folder = Files.createDirectories(Paths.get(spec.answers))
    val spark = session(folder)
    try {
      Tpch.views(spark, Paths.get(spec.data))
      println(s"Answering ${Tpch.Queries.size} queries twice on Spark ${spark.version}, scale ${spec.scale}")
      Tpch.Queries.foreach { query =>
        answer(spark, Tpch.validation(query, spec.scale), folder, Tpch.name(query))
        val drawn = s"${Tpch.name(query)}-seed${spec.seed}"
        answer(spark, Tpch.statement(query, spec.scale, spec.seed), folder, drawn)
        print(s"${Tpch.name(query)} ")
        Console.flush()
      }
      println()
    } finally spark.stop()
  }

  private def session(folder: Path): SparkSession = SparkSession
    .builder()
    .appName("tpch")
    .master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.ansi.enabled", "true")
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri.toString)
    .getOrCreate()

  private def answer(spark: SparkSession, statement: String, folder: Path, name: String): Unit = {
    Files.writeString(folder.resolve(s"$name.sql"), statement)
    val result = spark.sql(statement)
    val rows = result.collect().toSeq.map(texts)
    Json.save(folder.resolve(s"$name.json"), Answer(result.schema.map(field => kind(field.dataType)), rows))
  }

  private def texts(row: Row): Seq[Option[String]] = row.toSeq.map {
    case null => None
    case decimal: java.math.BigDecimal => Some(decimal.toPlainString)
    case other => Some(other.toString)
  }

  private def kind(column: DataType): String = column match {
    case IntegerType | LongType => "whole"
    case _: DecimalType | DoubleType => "real"
    case StringType => "text"
    case DateType => "date"
    case other => throw new IllegalArgumentException(s"a column of ${other.sql} has no kind")
  }
}

package io.holdfast.integration.programs

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path

import scala.util.Using
import scala.util.matching.Regex

import org.apache.spark.sql.SparkSession

/** The 22 queries of TPC-H, written after the public specification in SQL that Spark and DuckDB take. Each is a template of the
  * resources; `:name` in it stands for a value. Results are not comparable to published ones.
  */
object Tpch {
  val Queries: Range = 1 to 22

  /** Folders below that of a scale, each with Parquet files. */
  val Tables: Seq[String] =
    Seq("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem")

  private val Parameter = ":([a-z]+[0-9]?)".r

  /** The query's name, such as `q07`. */
  def name(query: Int): String = f"q$query%02d"

  /** The query with its `:name`s.
    *
    * @throws java.lang.IllegalArgumentException if there is no such query
    */
  def template(query: Int): String = {
    require(Queries.contains(query), s"TPC-H has no query $query; give one of 1 to 22")
    val resource = s"/io/holdfast/integration/tpch/${name(query)}.sql"
    Using.resource(getClass.getResourceAsStream(resource))(in => new String(in.readAllBytes(), UTF_8))
  }

  /** The names that a template has values for. */
  def parameters(template: String): Set[String] = Parameter.findAllMatchIn(template).map(_.group(1)).toSet

  /** The query with values drawn by the specification's rules. The same seed gives the same text.
    *
    * @param scale of the data: one query's threshold falls with it
    */
  def statement(query: Int, scale: BigDecimal, seed: Long): String =
    filled(query, TpchValues.drawn(query, scale, seed))

  /** The query with the values that the specification validates answers with. */
  def validation(query: Int, scale: BigDecimal): String = filled(query, TpchValues.validating(query, scale))

  /** Makes the tables known to a session by their names.
    *
    * @param folder of one scale, as `./gradlew tpchData` makes it
    */
  def views(spark: SparkSession, folder: Path): Unit =
    Tables.foreach(t => spark.read.parquet(folder.resolve(t).toUri.toString).createOrReplaceTempView(t))

  private def filled(query: Int, values: Map[String, String]): String =
    Parameter.replaceAllIn(template(query), found => Regex.quoteReplacement(values(found.group(1))))
}

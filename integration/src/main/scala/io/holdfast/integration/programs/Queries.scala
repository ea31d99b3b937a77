package io.holdfast.integration.programs

import org.apache.spark.sql.SparkSession

/** Four queries in the manner of TPC-H's 1, 3, 6 and 18 on generated tables, one after the other. With AQE each stage is a Spark
  * job of its own; without it, a query is one job.
  */
object Queries {
  val Customers = 15000L
  val Orders = 150000L
  val Items = 600000L

  /** Names in the folder of the input. */
  val Tables: Seq[String] = Seq("customer", "orders", "lineitem")

  private val texts = Seq(
    """select l_flag, l_status, sum(l_quantity), sum(l_price), avg(l_discount), count(*)
      |from lineitem where l_day <= 2400 group by l_flag, l_status order by l_flag, l_status""",
    """select o_key, sum(l_price * (1 - l_discount)) as revenue, o_day
      |from customer join orders on c_key = o_customer join lineitem on o_key = l_order
      |where c_segment = 'BUILDING' and o_day < 1200 and l_day > 1200
      |group by o_key, o_day order by revenue desc, o_key limit 10""",
    """select sum(l_price * l_discount) from lineitem
      |where l_day between 300 and 665 and l_discount between 0.05 and 0.07 and l_quantity < 24""",
    """select c_key, o_key, o_day, sum(l_quantity) as quantity
      |from customer join orders on c_key = o_customer join lineitem on o_key = l_order
      |where o_key in (select l_order from lineitem group by l_order having sum(l_quantity) > 180)
      |group by c_key, o_key, o_day order by quantity desc, o_key limit 100"""
  ).map(_.stripMargin)

  def adaptive(context: Context): Unit = run(context, adaptive = true)

  def planned(context: Context): Unit = run(context, adaptive = false)

  private def run(context: Context, adaptive: Boolean): Unit = {
    val spark = context.spark.newSession()
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    spark.conf.set("spark.sql.shuffle.partitions", context.width)
    Tables.foreach(t => spark.read.parquet(s"${context.input(Inputs.Orders)}/$t").createOrReplaceTempView(t))
    texts.foreach(spark.sql(_).collect())
  }

  /** Makes the tables below a folder, in so many files each. */
  def generate(spark: SparkSession, path: String, files: Int): Unit = {
    def table(name: String, rows: Long, columns: String*): Unit =
      spark.range(0, rows, 1, files).selectExpr(columns: _*).write.parquet(s"$path/$name")
    def drawn(below: Int, salt: Int) = s"cast(pmod(xxhash64(id, $salt), $below) as int)"
    table(
      "customer",
      Customers,
      "id as c_key",
      s"element_at(array('BUILDING', 'MACHINERY', 'HOUSEHOLD', 'FURNITURE', 'AUTOMOBILE'), 1 + ${drawn(5, 1)}) as c_segment"
    )
    table("orders", Orders, "id as o_key", s"${drawn(Customers.toInt, 2)} as o_customer", s"${drawn(2405, 3)} as o_day")
    table(
      "lineitem",
      Items,
      s"${drawn(Orders.toInt, 4)} as l_order",
      s"1 + ${drawn(50, 5)} as l_quantity",
      s"(90000 + ${drawn(1000000, 6)}) / 100.0D as l_price",
      s"${drawn(11, 7)} / 100.0D as l_discount",
      s"${drawn(2526, 8)} as l_day",
      s"element_at(array('A', 'N', 'R'), 1 + ${drawn(3, 9)}) as l_flag",
      s"element_at(array('F', 'O'), 1 + ${drawn(2, 10)}) as l_status"
    )
  }
}

package io.holdfast.integration.programs.dashboards

/** What writers of an ETL run again and again: each reads tables of TPC-H as from a remote store, so that tasks take seconds and little
  * of a processor, and overwrites a table of the writer's own.
  */
object EtlStatements {

  /** Tasks of a wide stage. */
  val Tasks = 16

  /** A statement, and the table that it overwrites: columns and partitions. */
  private final case class Template(name: String, columns: String, partitioned: String, select: String)

  /** One in so many rows is read: more would measure the processors. */
  private val Share = 8

  /** Tasks wait for so many seconds, the long ones for so many. */
  private val Wait = "2, 5"
  private val Long = "10, 20"

  private val templates = Seq(
    // A wide scan.
    Template(
      "revenue-by-day",
      "shipdate date, items bigint, revenue decimal(38,4)",
      "",
      s"""select l_shipdate, count(*), sum(l_extendedprice * (1 - l_discount))
         |from ${remote("lineitem", "l_orderkey", Tasks, Wait)}
         |group by l_shipdate""".stripMargin
    ),
    // A join of two wide scans, into partitions.
    Template(
      "items-by-year",
      "orderkey bigint, priority string, price decimal(15,2), year int",
      "partitioned by (year)",
      s"""select o_orderkey, o_orderpriority, l_extendedprice, year(o_orderdate)
         |from ${remote("lineitem", "l_orderkey", Tasks, Wait)}
         |join ${remote("orders", "o_orderkey", Tasks, Wait)} on o_orderkey = l_orderkey
         |where l_returnflag = 'R'""".stripMargin
    ),
    // A global sort.
    Template(
      "sorted-orders",
      "orderdate date, orderkey bigint, price decimal(15,2)",
      "",
      s"""select o_orderdate, o_orderkey, o_totalprice
         |from ${remote("orders", "o_orderkey", Tasks, Wait)}
         |order by o_orderdate, o_orderkey""".stripMargin
    ),
    // A few long tasks.
    Template(
      "scores",
      "custkey bigint, score decimal(15,2)",
      "",
      s"""select c_custkey, c_acctbal
         |from ${remote("customer", "c_custkey", Tasks / 4, Long)}""".stripMargin
    ),
    // Partitions written by a wide stage.
    Template(
      "items-by-mode",
      "orderkey bigint, quantity decimal(15,2), mode string",
      "partitioned by (mode)",
      s"""select l_orderkey, l_quantity, l_shipmode
         |from ${remote("lineitem", "l_orderkey", Tasks, Wait)}
         |where l_linenumber = 1""".stripMargin
    )
  )

  /** Makes the tables of a writer, which are empty then. */
  def tables(writer: String): Seq[String] = templates.map { t =>
    s"create table if not exists ${table(writer, t)} (${t.columns}) using parquet ${t.partitioned}"
  }

  /** The name and the text of a writer's statement, over and over from the first on. */
  def statement(writer: String, number: Int): (String, String) = {
    val t = templates(number % templates.size)
    t.name -> s"insert overwrite table ${table(writer, t)}\n${t.select}"
  }

  private def table(writer: String, t: Template) = s"${writer}_${t.name}".replace('-', '_')

  private def remote(table: String, key: String, tasks: Int, seconds: String) =
    s"""(select * from (select /*+ REPARTITION($tasks, $key) */ * from $table where $key % $Share = 0)
       |  where remote_read($key, $seconds) is not null)""".stripMargin
}

package io.holdfast.integration.programs

import java.time.LocalDate

import org.scalatest.funsuite.AnyFunSuite

/** TPC-H's queries have the values that the specification says. `./gradlew tpchCheck` says whether their rows are right. */
class TpchSpec extends AnyFunSuite {
  private val Seeds = 1L to 2000L
  private val Few = Seeds.take(100)
  private val One = BigDecimal(1)

  /** Each query with the values of many seeds. */
  private def drawn(query: Int): Seq[Map[String, String]] = Seeds.map(TpchValues.drawn(query, One, _))

  private def values(query: Int, name: String): Set[String] = drawn(query).map(_(name)).toSet

  private def between(query: Int, name: String, low: Int, high: Int): Unit =
    assert(values(query, name).map(_.toInt) == (low to high).toSet, s"of q$query's $name")

  private def months(query: Int, first: String, last: String): Unit = {
    val all = Iterator.iterate(LocalDate.parse(first))(_.plusMonths(1)).takeWhile(!_.isAfter(LocalDate.parse(last)))
    assert(values(query, "date").map(LocalDate.parse(_)) == all.toSet, s"of q$query")
  }

  test("a template has a place for each value, and a value for each place") {
    Tpch.Queries.foreach { query =>
      val places = Tpch.parameters(Tpch.template(query))
      assert(places.nonEmpty && places == TpchValues.validating(query, One).keySet, Tpch.name(query))
      assert(drawn(query).forall(_.keySet == places), Tpch.name(query))
    }
  }

  test("no place is left over, and nothing but the values is put there") {
    for (query <- Tpch.Queries; text <- Tpch.validation(query, One) +: Few.map(Tpch.statement(query, One, _)))
      assert(!text.contains(":") && text.linesIterator.size == Tpch.template(query).linesIterator.size, text)
    assert(Tpch.validation(6, One).contains("between 0.06 - 0.01 and 0.06 + 0.01"))
    assert(Tpch.validation(7, One).contains("sold.n_name = 'GERMANY' and bought.n_name = 'FRANCE'"))
    assert(Tpch.validation(16, One).contains("p_size in (49, 14, 23, 45, 19, 3, 36, 9)"))
  }

  test("a seed always gives the same text, and another seed another") {
    Tpch.Queries.foreach { query =>
      assert(Tpch.statement(query, One, 7) == Tpch.statement(query, One, 7))
      assert(Few.map(Tpch.statement(query, One, _)).toSet.size > 1, Tpch.name(query))
    }
    val (one, other) = (Tpch.Queries.map(Tpch.statement(_, One, 1)), Tpch.Queries.map(Tpch.statement(_, One, 2)))
    assert(one.zip(other).count { case (a, b) => a != b } >= 18)
    assert(TpchValues.drawn(9, One, 42) == Map("color" -> "chiffon"), "as in earlier versions")
  }

  test("numbers take every value of their range") {
    between(1, "delta", 60, 120)
    between(2, "size", 1, 50)
    assert(values(6, "discount") == (2 to 9).map(d => s"0.0$d").toSet)
    between(6, "quantity", 24, 25)
    between(18, "quantity", 312, 315)
    between(19, "quantity1", 1, 10)
    between(19, "quantity2", 10, 20)
    between(19, "quantity3", 20, 30)
  }

  test("dates take every value of their range") {
    assert(values(3, "date") == (1 to 31).map(day => f"1995-03-$day%02d").toSet)
    months(4, "1993-01-01", "1997-10-01")
    months(10, "1993-02-01", "1995-01-01")
    months(14, "1993-01-01", "1997-12-01")
    months(15, "1993-01-01", "1997-10-01")
    Seq(5, 6, 12, 20).foreach(q => assert(values(q, "date") == (1993 to 1997).map(y => s"$y-01-01").toSet, s"of q$q"))
  }

  test("words are those of the tables") {
    assert(TpchValues.Colors.distinct.size == 92 && TpchValues.Types.distinct.size == 150)
    assert(TpchValues.Containers.distinct.size == 40 && TpchValues.Brands.distinct.size == 25)
    assert(values(2, "type") == TpchValues.Metals.toSet && values(2, "region") == TpchValues.Regions.toSet)
    assert(values(3, "segment") == TpchValues.Segments.toSet && values(12, "shipmode1") == TpchValues.ShipModes.toSet)
    assert(values(8, "type").subsetOf(TpchValues.Types.toSet) && values(16, "type") == TpchValues.Finished.toSet)
    assert(values(9, "color").size > 80 && values(9, "color").subsetOf(TpchValues.Colors.toSet))
    assert(values(17, "container") == TpchValues.Containers.toSet && values(17, "brand") == TpchValues.Brands.toSet)
    assert(drawn(13).map(v => v("word1") -> v("word2")).toSet.size == 16)
    assert(values(21, "nation") == TpchValues.Nations.values.flatten.toSet && values(21, "nation").size == 25)
  }

  test("values that must differ do, and a nation comes with its region") {
    def apart(query: Int, names: Seq[String]): Unit =
      drawn(query).foreach(v => assert(names.map(v).distinct == names.map(v)))
    apart(7, Seq("nation1", "nation2"))
    apart(12, Seq("shipmode1", "shipmode2"))
    apart(16, (1 to 8).map(i => s"size$i"))
    apart(22, (1 to 7).map(i => s"code$i"))
    assert((1 to 7).flatMap(i => values(22, s"code$i")).toSet == (10 to 34).map(_.toString).toSet)
    drawn(8).foreach(v => assert(TpchValues.Nations(v("region")).contains(v("nation"))))
  }

  test("the threshold of the 11th query falls as the scale grows") {
    def threshold(scale: String) = TpchValues.validating(11, BigDecimal(scale))("fraction")
    assert(Seq("0.01", "1", "3", "1000").map(threshold) == Seq("0.01", "0.0001", "0.0000333333", "0.0000001"))
  }

  test("there is no 23rd query") {
    val refused = intercept[IllegalArgumentException](Tpch.template(23))
    assert(refused.getMessage.contains("TPC-H has no query 23; give one of 1 to 22"))
  }
}

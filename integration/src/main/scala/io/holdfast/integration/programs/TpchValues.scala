package io.holdfast.integration.programs

import java.math.MathContext
import java.time.{LocalDate, YearMonth}
import java.time.temporal.ChronoUnit
import java.util.SplittableRandom

/** Values for the parameters of TPC-H's queries, by the rules of the specification (clause 2.4). */
private[programs] object TpchValues {
  val Nations: Map[String, Seq[String]] = Map(
    "AFRICA" -> Seq("ALGERIA", "ETHIOPIA", "KENYA", "MOROCCO", "MOZAMBIQUE"),
    "AMERICA" -> Seq("ARGENTINA", "BRAZIL", "CANADA", "PERU", "UNITED STATES"),
    "ASIA" -> Seq("CHINA", "INDIA", "INDONESIA", "JAPAN", "VIETNAM"),
    "EUROPE" -> Seq("FRANCE", "GERMANY", "ROMANIA", "RUSSIA", "UNITED KINGDOM"),
    "MIDDLE EAST" -> Seq("EGYPT", "IRAN", "IRAQ", "JORDAN", "SAUDI ARABIA")
  )
  val Regions: Seq[String] = Nations.keys.toSeq.sorted
  private val regionOf = for ((region, nations) <- Nations; nation <- nations) yield nation -> region
  private val nations = regionOf.keys.toSeq.sorted

  private def words(text: String) = text.split("\\s+").toSeq

  val Segments: Seq[String] = words("AUTOMOBILE BUILDING FURNITURE HOUSEHOLD MACHINERY")
  val ShipModes: Seq[String] = Seq("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK")

  private val classes = words("ECONOMY LARGE MEDIUM PROMO SMALL STANDARD")
  private val finishes = words("ANODIZED BRUSHED BURNISHED PLATED POLISHED")
  val Metals: Seq[String] = words("BRASS COPPER NICKEL STEEL TIN")

  /** A part's type without its metal. */
  val Finished: Seq[String] = classes.flatMap(c => finishes.map(f => s"$c $f"))
  val Types: Seq[String] = Finished.flatMap(f => Metals.map(m => s"$f $m"))
  val Containers: Seq[String] =
    words("JUMBO LG MED SM WRAP").flatMap(size =>
      words("BAG BOX CAN CASE DRUM JAR PACK PKG").map(kind => s"$size $kind")
    )
  val Brands: Seq[String] = for (m <- 1 to 5; n <- 1 to 5) yield s"Brand#$m$n"

  val Colors: Seq[String] = words(
    "almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood burnished chartreuse chiffon " +
      "chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick floral forest frosted gainsboro " +
      "ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn lemon light lime linen magenta maroon " +
      "medium metallic midnight mint misty moccasin navajo navy olive orange orchid pale papaya peach peru pink plum powder " +
      "puff purple red rose rosy royal saddle salmon sandy seashell sienna sky slate smoke snow spring steel tan thistle " +
      "tomato turquoise violet wheat white yellow"
  )
  private val firstWords = words("special pending unusual express")
  private val secondWords = words("packages requests accounts deposits")

  /** What the telephone numbers of a nation's customers begin with. */
  private val countryCodes = 10 to 34

  private val january93 = YearMonth.of(1993, 1)

  /** The query's values drawn from the seed, by their names. No two of the 22 draw the same numbers. */
  def drawn(query: Int, scale: BigDecimal, seed: Long): Map[String, String] =
    drawn(query, scale, new Draw(new SplittableRandom(100 * seed + query)))

  private def drawn(query: Int, scale: BigDecimal, draw: Draw): Map[String, String] = {
    import draw._
    query match {
      case 1 => Map("delta" -> between(60, 120).toString)
      case 2 => Map("size" -> between(1, 50).toString, "type" -> one(Metals), "region" -> one(Regions))
      case 3 => Map("segment" -> one(Segments), "date" -> LocalDate.of(1995, 3, between(1, 31)).toString)
      case 4 => Map("date" -> month(january93, YearMonth.of(1997, 10)))
      case 5 => Map("region" -> one(Regions), "date" -> year)
      case 6 => Map("date" -> year, "discount" -> s"0.0${between(2, 9)}", "quantity" -> between(24, 25).toString)
      case 7 => numbered("nation", some(2, nations))
      case 8 => national(one(nations)) + ("type" -> one(Types))
      case 9 => Map("color" -> one(Colors))
      case 10 => Map("date" -> month(january93.plusMonths(1), YearMonth.of(1995, 1)))
      case 11 => Map("nation" -> one(nations), "fraction" -> fraction(scale))
      case 12 => numbered("shipmode", some(2, ShipModes)) + ("date" -> year)
      case 13 => Map("word1" -> one(firstWords), "word2" -> one(secondWords))
      case 14 => Map("date" -> month(january93, YearMonth.of(1997, 12)))
      case 15 => Map("date" -> month(january93, YearMonth.of(1997, 10)))
      case 16 => Map("brand" -> one(Brands), "type" -> one(Finished)) ++ numbered("size", some(8, 1 to 50))
      case 17 => Map("brand" -> one(Brands), "container" -> one(Containers))
      case 18 => Map("quantity" -> between(312, 315).toString)
      case 19 =>
        numbered("quantity", Seq(between(1, 10), between(10, 20), between(20, 30))) ++
          numbered("brand", Seq.fill(3)(one(Brands)))
      case 20 => Map("color" -> one(Colors), "date" -> year, "nation" -> one(nations))
      case 21 => Map("nation" -> one(nations))
      case 22 => numbered("code", some(7, countryCodes))
    }
  }

  /** The values that the specification validates with. */
  def validating(query: Int, scale: BigDecimal): Map[String, String] = query match {
    case 1 => Map("delta" -> "90")
    case 2 => Map("size" -> "15", "type" -> "BRASS", "region" -> "EUROPE")
    case 3 => Map("segment" -> "BUILDING", "date" -> "1995-03-15")
    case 4 => Map("date" -> "1993-07-01")
    case 5 => Map("region" -> "ASIA", "date" -> "1994-01-01")
    case 6 => Map("date" -> "1994-01-01", "discount" -> "0.06", "quantity" -> "24")
    case 7 => numbered("nation", Seq("FRANCE", "GERMANY"))
    case 8 => national("BRAZIL") + ("type" -> "ECONOMY ANODIZED STEEL")
    case 9 => Map("color" -> "green")
    case 10 => Map("date" -> "1993-10-01")
    case 11 => Map("nation" -> "GERMANY", "fraction" -> fraction(scale))
    case 12 => numbered("shipmode", Seq("MAIL", "SHIP")) + ("date" -> "1994-01-01")
    case 13 => Map("word1" -> "special", "word2" -> "requests")
    case 14 => Map("date" -> "1995-09-01")
    case 15 => Map("date" -> "1996-01-01")
    case 16 =>
      Map("brand" -> "Brand#45", "type" -> "MEDIUM POLISHED") ++
        numbered("size", Seq(49, 14, 23, 45, 19, 3, 36, 9))
    case 17 => Map("brand" -> "Brand#23", "container" -> "MED BOX")
    case 18 => Map("quantity" -> "300")
    case 19 =>
      numbered("quantity", Seq(1, 10, 20)) ++ numbered("brand", Seq("Brand#12", "Brand#23", "Brand#34"))
    case 20 => Map("color" -> "forest", "date" -> "1994-01-01", "nation" -> "CANADA")
    case 21 => Map("nation" -> "SAUDI ARABIA")
    case 22 => numbered("code", Seq(13, 31, 23, 29, 30, 18, 17))
  }

  /** Values of parameters that differ by the number at their end. */
  private def numbered(name: String, values: Seq[Any]): Map[String, String] =
    values.zipWithIndex.map { case (value, i) => s"$name${i + 1}" -> value.toString }.toMap

  private def national(nation: String) = Map("nation" -> nation, "region" -> regionOf(nation))

  /** The threshold of query 11: 0.0001 at scale 1, as a larger stock has more parts. */
  private def fraction(scale: BigDecimal): String =
    BigDecimal("0.0001").bigDecimal.divide(scale.bigDecimal, new MathContext(6)).stripTrailingZeros.toPlainString

  /** Draws values, all equally likely; bounds are included. */
  private final class Draw(random: SplittableRandom) {
    def between(low: Int, high: Int): Int = random.nextInt(low, high + 1)
    def one[A](of: Seq[A]): A = of(random.nextInt(of.size))

    /** So many different ones. */
    def some[A](count: Int, of: Seq[A]): Seq[A] =
      if (count == 0) Nil else { val first = one(of); first +: some(count - 1, of.filter(_ != first)) }

    /** The first day of a month. */
    def month(first: YearMonth, last: YearMonth): String =
      first.plusMonths(between(0, first.until(last, ChronoUnit.MONTHS).toInt).toLong).atDay(1).toString

    /** The first day of one of the five years that are whole. */
    def year: String = s"${between(1993, 1997)}-01-01"
  }
}

package io.holdfast.names

import org.scalatest.funsuite.AnyFunSuite

/** What two runs of a statement have in common. */
class StatementsSpec extends AnyFunSuite {

  test("literals, comments and blanks do not count, names do") {
    val alike = Seq(
      "select sum(price) from sales where day >= date '2026-01-01' and shop in (1, 2, 3) and note = 'it''s'",
      "SELECT sum(price)\n  FROM sales -- of today\n WHERE day >= DATE '2026-11-27' AND shop IN (17)AND note = \"a\\\"b\"",
      "/* request 4711 */ select sum(price) from sales where day>= date '' and shop in (1,2) and note = ''"
    )
    val normal = "select sum(price) from sales where day >= date ? and shop in (?) and note = ?"
    assert(Statements.normal(alike.head) == normal)
    assert(alike.map(Statements.normal(_).filterNot(_ == ' ')).distinct.size == 1)
    assert(Statements.normal(alike.head.replace("sales", "`Sales 1`")).contains("from `Sales 1` where"))
    assert(
      Statements.normal("select c1, x2y from t where a = 1.5e-3 and b = 0x1F and c = -10L") ==
        "select c1, x2y from t where a = ? and b = ? and c = -?"
    )
    assert(Statements.normal("select 1 - 2, a.b") == "select ? - ?, a.b")
  }

  test("what does not end is a literal or a comment to its end, and nothing has no name") {
    assert(Statements.normal("select 'abc") == "select ?")
    assert(Statements.normal("select a /* b") == "select a")
    assert(Statements.normal("select a --") == "select a")
    assert(Statements.normal("select '\\") == "select ?")
    assert(Statements.ofSql("-- nothing") == null && Statements.ofSql("") == null)
  }

  test("a long statement is told apart by more than its beginning") {
    def long(last: String) = s"select ${(1 to 100).map(i => s"column_$i").mkString(", ")} from $last"
    val (a, b) = (Statements.ofSql(long("a")), Statements.ofSql(long("b")))
    assert(a.length == 100 && b.length == 100 && a != b && a.take(80) == b.take(80))
    assert(Statements.ofSql(long("a where x = 1")) == Statements.ofSql(long("a where x = 2")))
    assert(Statements.ofSql("select 1 " + "union select 1 " * 1000000).length == 100)
  }

  test("a plan of Spark Connect's is its SQL, or what is left without literals and numbers") {
    def sql(plan: Int, query: String) =
      s"root {\n  common {\n    plan_id: $plan\n  }\n  sql {\n    query: \"$query\"\n  }\n}\n"
    val name = Statements.ofPlan(sql(3, "select count(*)\\nfrom t where a = \\'x\\' and b = \\\"y\\\""))
    assert(name == "select count(*) from t where a = ? and b = ?")
    assert(Statements.ofPlan(sql(4, "select count(*) from t where a = \\'z\\' and b = \\\"\\\"")) == name)
    def frame(plan: Int, column: String, literal: String) =
      s"""root { common { plan_id: $plan } filter { input { read { named_table { unparsed_identifier: "t" } } }
         |condition { unresolved_function { function_name: "==" arguments { unresolved_attribute {
         |unparsed_identifier: "$column" } } arguments { literal { string: "$literal" } } } } } }""".stripMargin
    assert(Statements.ofPlan(frame(1, "a", "x")) == Statements.ofPlan(frame(25, "a", "y \\\" z")))
    assert(Statements.ofPlan(frame(1, "a", "x")) != Statements.ofPlan(frame(1, "b", "x")))
  }
}

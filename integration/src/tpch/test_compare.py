"""Tests that the comparison sees what differs."""

import unittest
from decimal import Decimal

from compare import compared, difference, line, unmatched, value
from data import expected, parts

KINDS = ["text", "real"]


def rows(*pairs):
    """Returns rows of a name and an amount."""
    return [[name, Decimal(amount)] for name, amount in pairs]


class CompareTest(unittest.TestCase):
    def test_equal_within_the_tolerance(self):
        ours = rows(("a", "2000000"), ("b", "0.049985"))
        self.assertIsNone(difference(ours, rows(("a", "2000001.9"), ("b", "0.0499853")), KINDS, None))
        self.assertIn("row 1", difference(ours, rows(("a", "2000002.1"), ("b", "0.049985")), KINDS, None))
        self.assertIn("row 2", difference(ours, rows(("a", "2000000"), ("b", "0.049986")), KINDS, None))

    def test_order_counts_where_the_query_orders_all_rows(self):
        self.assertIn("row 1", difference(rows(("a", 1), ("b", 1)), rows(("b", 1), ("a", 1)), KINDS, None))

    def test_of_tied_rows_any_order_is_right(self):
        self.assertIsNone(difference(rows(("a", 1), ("b", 1)), rows(("b", 1), ("a", 1)), KINDS, [1]))
        self.assertIn("row 1", difference(rows(("a", 2), ("b", 1)), rows(("b", 1), ("a", 2)), KINDS, [1]))

    def test_each_row_needs_one_of_its_own(self):
        twice = rows(("a", 1), ("a", 1), ("b", 1))
        self.assertIn("lacks (a, 1)", difference(twice, rows(("a", 1), ("b", 1), ("b", 1)), KINDS, [1]))
        self.assertIsNone(unmatched(twice, rows(("b", 1), ("a", 1), ("a", 1)), KINDS))

    def test_missing_rows_and_nulls(self):
        self.assertEqual("DuckDB has 1 rows", difference(rows(("a", 1), ("b", 1)), rows(("a", 1)), KINDS, None))
        self.assertIsNotNone(difference([["a", None]], rows(("a", 0)), KINDS, None))
        self.assertIsNone(difference([["a", None]], [["a", None]], KINDS, None))

    def test_values_of_both_engines(self):
        self.assertEqual(value("12", "whole"), value(12, "whole"))
        self.assertEqual(value("0.25", "real"), value(0.25, "real"))
        self.assertIsNone(value(None, "real"))

    def test_columns_left_out_do_not_count_and_ties_stay_where_they_were(self):
        answer = {"kinds": ["text", "text", "real"], "rows": [["x", "a", "2"], ["x", "b", "2"]]}
        others = [["y", "b", 2], ["y", "a", 2]]
        self.assertIsNone(compared(answer, others, "q10", "other", [0]))
        self.assertIn("other lacks (x, a, 2)", compared(answer, others, "q10", "other"))
        self.assertIn("row 1", compared(answer, others, "q01", "other", [0]))
        self.assertIn("3 columns and other 2", compared(answer, [["a", 2]] * 2, "q01", "other"))

    def test_a_line_for_each_statement(self):
        self.assertEqual("q07 2 rows equal", line("q07", "", [["1"], [None]], None))
        said = line("q17", "7", [[None]], "DuckDB has 2 rows")
        self.assertEqual("q17 seed 7: 1 row of nulls different: DuckDB has 2 rows", said)
        self.assertEqual("q18 0 rows equal", line("q18", "", [], None))


class DataTest(unittest.TestCase):
    def test_rows_after_the_specification(self):
        self.assertEqual(range(25, 26), expected("nation", Decimal("0.01")))
        self.assertEqual(range(80_000, 80_001), expected("partsupp", Decimal("0.1")))
        self.assertEqual(range(6_001_215, 6_001_216), expected("lineitem", Decimal(1)))
        self.assertIn(60_175, expected("lineitem", Decimal("0.01")))
        self.assertNotIn(50_000, expected("lineitem", Decimal("0.01")))

    def test_fewer_files_at_small_scales(self):
        scales = ("0.001", "0.01", "0.1", "0.5", "1", "10")
        self.assertEqual([1, 1, 1, 8, 16, 16], [parts("orders", Decimal(s)) for s in scales])
        self.assertEqual(1, parts("part", Decimal(10)))


if __name__ == "__main__":
    unittest.main()

"""Runs on DuckDB what Spark has answered, and compares the rows.

Both run our SQL, so they cannot tell what is wrong in it. DuckDB's TPC-H extension has statements of its own, with the
values that the specification validates with, and at some scales answers. Their rows are compared, too.

Arguments: the scale, the folder of the tables, the folder of Spark's answers. There each statement is a file `q07.sql`
or `q07-seed42.sql`, and its answer is the JSON file of that name: the kind of each column, and rows of texts.
"""

import json
import re
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import duckdb
import duckdb_extension_tpch

# Queries whose order may leave rows equal, with the columns that order them. Of all others the whole row has its place.
TIED = {"q03": [1, 2], "q05": [1], "q10": [2], "q11": [1], "q18": [4, 3]}

# Numbers with a fraction may differ by so much of their size, and by half of the sixth decimal: there Spark rounds.
RELATIVE = Decimal("1e-6")
ABSOLUTE = Decimal("5e-7")

# The threshold of query 11 as the extension has it, which is that of scale 1.
THRESHOLD = "0.0001000000"

# The extension's answers are those of data with other addresses and comments. These columns have them, and query 13
# counts by comments.
WORDS = {"q02": [5, 7], "q10": [5, 7], "q15": [2], "q20": [1]}
BY_WORDS = "q13"


def value(raw, kind):
    """Returns a value of either engine as one of its column's kind."""
    if raw is None:
        return None
    if kind == "real":
        return Decimal(str(raw))
    return int(raw) if kind == "whole" else str(raw)


def same(one, other, kind) -> bool:
    """Says whether two values are equal, within the tolerance if their kind has fractions."""
    if kind != "real" or one is None or other is None:
        return one == other
    return abs(one - other) <= max(RELATIVE * abs(other), ABSOLUTE)


def same_row(one, other, kinds) -> bool:
    """Says whether two rows are equal."""
    return all(map(same, one, other, kinds))


def unmatched(rows, others, kinds):
    """Returns the first of the rows that has no equal one of its own among the others."""
    exact = [i for i, kind in enumerate(kinds) if kind != "real"]
    alike = defaultdict(list)
    for other in others:
        alike[tuple(other[i] for i in exact)].append(other)
    for row in rows:
        candidates = alike[tuple(row[i] for i in exact)]
        found = next((i for i, other in enumerate(candidates) if same_row(row, other, kinds)), None)
        if found is None:
            return row
        candidates.pop(found)
    return None


def shown(row) -> str:
    """Returns a row as a text."""
    return "(" + ", ".join(map(str, row)) + ")"


def difference(sparks, others, kinds, tied, whose="DuckDB"):
    """Returns what differs between Spark's rows and others, None if nothing does.

    `tied` has the columns that order a query which may leave rows equal, and is None of a query that orders all rows.
    """
    if len(sparks) != len(others):
        return f"{whose} has {len(others)} rows"
    wrong = next((row for row in others if len(row) != len(kinds)), None)
    if wrong is not None:
        return f"Spark has {len(kinds)} columns and {whose} {len(wrong)}"
    columns = range(len(kinds)) if tied is None else tied
    for number, (spark, other) in enumerate(zip(sparks, others), 1):
        if not all(same(spark[i], other[i], kinds[i]) for i in columns):
            return f"row {number}: Spark has {shown(spark)} and {whose} {shown(other)}"
    missing = None if tied is None else unmatched(sparks, others, kinds)
    return None if missing is None else f"{whose} lacks {shown(missing)}"


def line(query, seed, rows, why) -> str:
    """Returns what is said of a statement; `why` is what differs."""
    name = f"{query} seed {seed}:" if seed else query
    # An empty sum compares little.
    nulls = "" if any(raw is not None for row in rows for raw in row) or not rows else " of nulls"
    outcome = "equal" if why is None else f"different: {why}"
    return f"{name} {len(rows)} {'row' if len(rows) == 1 else 'rows'}{nulls} {outcome}"


def independent(connection, scale: Decimal):
    """Returns the extension's statements, and its answers at this scale as rows of texts, both by query."""
    package = Path(duckdb_extension_tpch.__file__).parent
    connection.execute(f"load '{package}/extensions/v{duckdb.__version__}/tpch.duckdb_extension'")
    found = connection.execute("select query_nr, query from tpch_queries()").fetchall()
    fraction = format(Decimal(THRESHOLD) / scale, "f")
    statements = {f"q{number:02}": text.replace(THRESHOLD, fraction) for number, text in found}
    known = "select query_nr, answer from tpch_answers() where scale_factor = ?"
    answers = {f"q{number:02}": text.splitlines()[1:] for number, text in connection.execute(known, [scale]).fetchall()}
    for query in [BY_WORDS] if scale == 1 else [BY_WORDS, "q11"]:
        answers.pop(query, None)
    return statements, {
        query: [[cell or None for cell in row.split("|")] for row in rows] for query, rows in answers.items()
    }


def without(rows, columns):
    """Returns rows without some of their columns."""
    return [[cell for i, cell in enumerate(row) if i not in columns] for row in rows]


def check(connection, statement: Path, theirs, answers) -> bool:
    """Compares one statement's rows and prints a line; says whether they are equal."""
    answer = json.loads(statement.with_suffix(".json").read_text(encoding="utf-8"))
    query, _, seed = statement.stem.partition("-seed")
    try:
        why = compared(answer, connection.execute(statement.read_text(encoding="utf-8")).fetchall(), query, "DuckDB")
        if not (seed or why):
            why = compared(answer, connection.execute(theirs[query]).fetchall(), query, "DuckDB's own statement")
        if not (seed or why) and query in answers:
            why = compared(answer, answers[query], query, "the answer of DuckDB's extension", WORDS.get(query, []))
    except (duckdb.Error, ArithmeticError, ValueError) as problem:
        why = str(problem)
    print(line(query, seed, answer["rows"], why), flush=True)
    return why is None


def compared(answer, others, query, whose, left_out=()):
    """Returns what differs between Spark's answer and other rows, in all columns but those left out."""
    kinds = without([answer["kinds"]], left_out)[0]
    place = {column: i for i, column in enumerate(i for i in range(len(answer["kinds"])) if i not in left_out)}
    tied = [place[column] for column in TIED[query]] if query in TIED else None
    sparks, others = (
        [list(map(value, row, kinds)) for row in without(rows, left_out)] for rows in (answer["rows"], others)
    )
    return difference(sparks, others, kinds, tied, whose)


def main(scale: Decimal, data: Path, answers: Path) -> int:
    """Compares all statements; returns the exit code."""
    statements = sorted(answers.glob("q*.sql"), key=lambda path: ("-" in path.stem, path.stem))
    if {path.stem for path in statements if re.fullmatch(r"q\d\d", path.stem)} != {f"q{i:02}" for i in range(1, 23)}:
        print(f"FAILED: {answers} lacks answers; run ./gradlew tpchCheck")
        return 1
    with duckdb.connect(config={"memory_limit": "2GB", "threads": 2}) as connection:
        for table in sorted(path.name for path in data.iterdir()):
            connection.execute(f"create view {table} as select * from read_parquet('{data}/{table}/*.parquet')")
        theirs, known = independent(connection, scale)
        own = f"{len(theirs)} statements and {len(known)} answers of its own"
        print(f"Comparing with DuckDB {duckdb.__version__}, {own}")
        equal = sum(check(connection, statement, theirs, known) for statement in statements)
    print(f"{equal} equal, {len(statements) - equal} different")
    return 0 if equal == len(statements) else 1


if __name__ == "__main__":
    sys.exit(main(Decimal(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])))

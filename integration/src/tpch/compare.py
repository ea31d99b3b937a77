"""Runs on DuckDB what Spark has answered, and compares the rows.

Arguments: the folder of the tables, the folder of Spark's answers. There each statement is a file `q07.sql` or
`q07-seed42.sql`, and its answer is the JSON file of that name: the kind of each column, and rows of texts.
"""

import json
import re
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import duckdb

# Queries whose order may leave rows equal, with the columns that order them. Of all others the whole row has its place.
TIED = {"q03": [1, 2], "q05": [1], "q10": [2], "q11": [1], "q18": [4, 3]}

# Numbers with a fraction may differ by so much of their size, and by half of the sixth decimal: there Spark rounds.
RELATIVE = Decimal("1e-6")
ABSOLUTE = Decimal("5e-7")


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


def difference(sparks, ducks, kinds, tied):
    """Returns what differs between the rows of two engines, None if nothing does.

    `tied` has the columns that order a query which may leave rows equal, and is None of a query that orders all rows.
    """
    if len(sparks) != len(ducks):
        return f"DuckDB has {len(ducks)} rows"
    columns = range(len(kinds)) if tied is None else tied
    for number, (spark, duck) in enumerate(zip(sparks, ducks), 1):
        if not all(same(spark[i], duck[i], kinds[i]) for i in columns):
            return f"row {number} is {shown(spark)} on Spark and {shown(duck)} on DuckDB"
    missing = None if tied is None else unmatched(sparks, ducks, kinds)
    return None if missing is None else f"DuckDB lacks {shown(missing)}"


def check(connection, statement: Path) -> bool:
    """Compares one statement's rows and prints a line; says whether they are equal."""
    answer = json.loads(statement.with_suffix(".json").read_text(encoding="utf-8"))
    kinds = answer["kinds"]
    query, _, seed = statement.stem.partition("-seed")
    try:
        found = connection.execute(statement.read_text(encoding="utf-8")).fetchall()
        if any(len(row) != len(kinds) for row in found):
            why = f"Spark has {len(kinds)} columns and DuckDB {len(found[0])}"
        else:
            rows = [[list(map(value, row, kinds)) for row in some] for some in (answer["rows"], found)]
            why = difference(*rows, kinds, TIED.get(query))
    except (duckdb.Error, ValueError) as problem:
        why = str(problem)
    count = len(answer["rows"])
    name = f"{query} seed {seed}:" if seed else query
    print(f"{name} {count} {'row' if count == 1 else 'rows'} {'equal' if why is None else f'different: {why}'}", flush=True)
    return why is None


def main(data: Path, answers: Path) -> int:
    """Compares all statements; returns the exit code."""
    statements = sorted(answers.glob("q*.sql"), key=lambda path: ("-" in path.stem, path.stem))
    if {path.stem for path in statements if re.fullmatch(r"q\d\d", path.stem)} != {f"q{i:02}" for i in range(1, 23)}:
        print(f"FAILED: {answers} lacks answers; run ./gradlew tpchCheck")
        return 1
    with duckdb.connect(config={"memory_limit": "2GB", "threads": 2}) as connection:
        for table in sorted(path.name for path in data.iterdir()):
            connection.execute(f"create view {table} as select * from read_parquet('{data}/{table}/*.parquet')")
        equal = sum(check(connection, statement) for statement in statements)
    print(f"{equal} equal, {len(statements) - equal} different")
    return 0 if equal == len(statements) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

"""Makes the tables of TPC-H as Parquet in a folder, which appears as a whole once their rows are counted.

Arguments: the scale, the folder.
"""

import os
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import duckdb

# The specification's rows at scale 1 (clause 4.2.5), of tables that grow with the scale.
GROWING = {"supplier": 10_000, "customer": 150_000, "part": 200_000, "partsupp": 800_000, "orders": 1_500_000}
FIXED = {"region": 5, "nation": 25}
LINEITEM_AT_1 = 6_001_215

# Files of the two large tables at scale 1 and above.
PARTS = 16
LARGE = ("orders", "lineitem")
TABLES = [*FIXED, *GROWING, "lineitem"]


def parts(table: str, scale: Decimal) -> int:
    """Returns in how many files a table is made."""
    return max(1, min(PARTS, int(PARTS * scale))) if table in LARGE else 1


def expected(table: str, scale: Decimal) -> range:
    """Returns how many rows a table may have."""
    if table in FIXED:
        return range(FIXED[table], FIXED[table] + 1)
    if table in GROWING:
        rows = int(GROWING[table] * scale)
        return range(rows, rows + 1)
    if scale == 1:
        return range(LINEITEM_AT_1, LINEITEM_AT_1 + 1)
    # An order has one to seven items, four on average.
    middle = 4 * int(GROWING["orders"] * scale)
    return range(middle * 95 // 100, middle * 105 // 100 + 1)


def make(table: str, scale: Decimal, folder: Path) -> None:
    """Makes one table in the folder and says how many rows it has.

    Raises ValueError if that is not what the specification says.
    """
    program = Path(sys.executable).with_name("tpchgen-cli")
    files = parts(table, scale)
    options = ["--quiet", f"--scale-factor={scale}", f"--tables={table}", f"--parts={files}", f"--output-dir={folder}"]
    subprocess.run([program, "parquet", *options], check=True)
    rows = duckdb.execute("select count(*) from read_parquet(?)", [f"{folder}/{table}/*.parquet"]).fetchone()[0]
    wanted = expected(table, scale)
    if rows not in wanted:
        raise ValueError(f"{table} has {rows} rows at scale {scale} and should have {wanted[0]} to {wanted[-1]}")
    print(f"{table} {rows} rows, {files} {'file' if files == 1 else 'files'}", flush=True)


def main(scale: Decimal, target: Path) -> None:
    """Makes all tables, unless the folder is there."""
    if target.exists():
        print(f"TPC-H at scale {scale} is there: {target}")
        return
    print(f"TPC-H at scale {scale}: making {len(TABLES)} tables (once)", flush=True)
    partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
    try:
        partial.mkdir(parents=True)
        for table in TABLES:
            make(table, scale, partial)
        if not target.exists():  # another build that was quicker has the same
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    print(f"TPC-H at scale {scale} is made: {target}")


if __name__ == "__main__":
    try:
        main(Decimal(sys.argv[1]), Path(sys.argv[2]))
    except (ValueError, subprocess.CalledProcessError) as problem:
        sys.exit(f"FAILED: {problem}")

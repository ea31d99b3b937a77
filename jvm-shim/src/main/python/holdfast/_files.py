"""Where the jar and the program lie: in the wheel, in the folder `bin` of this package."""

import os
from pathlib import Path

NAME = "holdfast-spark.jar"
OVERRIDE = "HOLDFAST_JAR"
_HERE = Path(os.path.abspath(__file__))
BIN = _HERE.parent / "bin"


def jar():
    """The path of the jar: that of HOLDFAST_JAR, else the wheel's, else the jar that this module was imported from.

    Raises FileNotFoundError when there is none.
    """
    named = os.environ.get(OVERRIDE)
    if named:
        if not os.path.isfile(named):
            raise FileNotFoundError(f"{OVERRIDE}={named} is not a file: name {NAME}, or unset {OVERRIDE}")
        return os.path.abspath(named)
    for candidate in [BIN / NAME, *_HERE.parents]:
        if candidate.is_file():
            return str(candidate)
    raise FileNotFoundError(
        f"there is no {NAME} in {BIN}: install the wheel holdfast-spark, or name the jar with {OVERRIDE}"
    )

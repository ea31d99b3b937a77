"""Fails when a file is no CycloneDX 1.5 bill of materials: argument: the JSON file."""

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(Path(sys.argv[1]).read_text(encoding="utf-8"))
if fault:
    sys.exit(f"{sys.argv[1]} is no CycloneDX 1.5: {fault}")

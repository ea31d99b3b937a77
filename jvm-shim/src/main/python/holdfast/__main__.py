"""The program `holdfast`, which lies beside the jar: what the wheel puts on the PATH begins here."""

import errno
import os
import sys

from ._files import BIN


def main():
    """Becomes the program. Returns an exit code only when it cannot be run."""
    program = BIN / "holdfast"
    arguments = [str(program), *sys.argv[1:]]
    try:
        os.execv(program, arguments)
    except FileNotFoundError as error:
        # An absent loader gives this error too: a program for glibc on Alpine.
        reason = "is made for another platform than this" if program.is_file() else f"cannot be run: {error.strerror}"
    except OSError as error:
        foreign = error.errno == errno.ENOEXEC
        reason = "is made for another platform than this" if foreign else f"cannot be run: {error.strerror}"
    fix = f"install the wheel for {os.uname().sysname} {os.uname().machine} (pip chooses it when it is not forced)"
    print(f"holdfast: {program} {reason}: {fix}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())

"""The program `superflip`."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the program with the arguments of this process. Returns its exit code."""
    import signal

    from ._native import main as run

    # The program has handlers of its own, or ends at Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["superflip", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

"""Stopping at once where Ctrl-C asks for it."""

import os
import sys

STATUS = 130


def stop_at_once() -> None:
    """Say so in one line and leave with STATUS, whatever other threads are doing."""
    print("tonlab: interrupted", file=sys.stderr, flush=True)
    sys.stdout.flush()
    # Not sys.exit, which would wait for threads: one may be compiling a kernel, for many seconds.
    os._exit(STATUS)

"""The process of the command line: `wei7core`, or `python -m wei7core`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

_GARBAGE = 50_000  # objects that are made until garbage is looked for
_INTERRUPTED = 130  # as in cli/main.py, which is not loaded yet


def run() -> NoReturn:
    """Run the command line with the arguments of the process, and end the process with its exit status."""
    # No linear algebra is done here, and the threads that wait for some cost more than half of NumPy's start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Threads hold the GIL only briefly, but for the one that loads pyarrow: it should not be waited for.
    sys.setswitchinterval(0.0005)
    # Objects of modules remain until the process ends: searching them for garbage would take time in vain.
    gc.disable()
    try:
        from .cli.console import drop_lost_messages
        from .cli.main import main

        gc.freeze()
        gc.set_threshold(_GARBAGE)  # the same while NumPy and others are loaded later on
        gc.enable()
        drop_lost_messages()
        status = main()
        if not _is_watched():
            # All work is done, and to take every module apart costs what replaying 10,000 games does.
            atexit._run_exitfuncs()
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(status)
        sys.exit(status)
    except KeyboardInterrupt:  # while modules load, or outside `main`
        os.write(2, b"wei7core: interrupted\n")
        os._exit(_INTERRUPTED)


def _is_watched() -> bool:
    """Whether the interpreter must end normally: for a profiler, a debugger, a prompt."""
    return bool(sys.gettrace() or sys.getprofile() or sys.flags.inspect or "coverage" in sys.modules)


if __name__ == "__main__":
    run()

"""The command line: runs the function of a command and turns its outcome into an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from .._util.lazy_import import imported
from ..batch.resume import ResumeError
from ..tables.writers import UnknownTableFormatError
from .arguments import UsageError, parsed
from .console import plain, stdout_for

# The module of each command, imported only when it runs, and its function, which takes the arguments and returns
# whether there were no errors.
_COMMANDS: Final = {
    "replay": ("replay", "replay"),
    "validate": ("replay", "validate"),
    "check": ("check", "check_records"),
    "show": ("show", "show"),
    "solve": ("solve", "solve_problem"),
    "expand": ("expand", "expand_position"),
    "convert": ("convert", "convert_records"),
    "index": ("find", "make_index"),
    "find": ("find", "find_positions"),
    "explore": ("explore", "explore"),
    "samples": ("samples", "make_shards"),
}

OK: Final = 0
FOUND: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with `argv` (None: that of the process) and return its exit status.

    0: success; 1: some record had an error or a finding; 2: wrong usage, or an output that cannot be written; 130:
    interrupted; 141: standard output was closed by its reader. `--help` and `--version` raise `SystemExit(0)`.
    """
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # else `print` would use standard output
    if sys.stdout is None:
        return _fail("standard output is closed", WRONG_USAGE)
    stdout_for("table")
    try:
        args = parsed(sys.argv[1:] if argv is None else argv)
        module, function = _COMMANDS[args.command]
        well = imported(f"{__package__}.{module}.{function}")(args)
        sys.stdout.flush()
    except (UsageError, UnknownTableFormatError, ResumeError) as error:
        return _fail(str(error), WRONG_USAGE)
    except BrokenPipeError:
        # Else the interpreter would try to flush again at exit, and report an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}", WRONG_USAGE)
    except MemoryError as error:
        return _fail(str(error) or "not enough memory", WRONG_USAGE)
    return OK if well else FOUND


def _fail(message: str, status: int) -> int:
    print(f"wei7core: {plain(message)}", file=sys.stderr)
    return status

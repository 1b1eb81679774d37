"""The command `wei7core`; outside the package, so that an interrupt while that loads shows no traceback."""

import os

try:
    from wei7core.__main__ import run  # noqa: F401 - the entry point
except KeyboardInterrupt:
    os.write(2, b"wei7core: interrupted\n")
    os._exit(130)

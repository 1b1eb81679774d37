"""The command `wei7core`: loads the package so that an interrupt meanwhile ends the process without a traceback.

It lies outside the package, whose own import comes first otherwise, and takes most of that time.
"""

import os

try:
    from wei7core.__main__ import run
except KeyboardInterrupt:
    os.write(2, b"wei7core: interrupted\n")
    os._exit(130)

__all__ = ["run"]

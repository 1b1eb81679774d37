"""`python -m wei7core` is the command line."""

import sys

from wei7core.cli import main

if __name__ == "__main__":
    sys.exit(main())

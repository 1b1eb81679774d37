"""List the games that occur more than once, whatever their format, orientation or comments.

python examples/duplicates.py tests/data/examples
"""

import sys

import wei7core as w7


def main(*paths: str) -> None:
    for finding in w7.check(paths, select="duplicate-bytes,duplicate-game", severity="info"):
        print(f"{finding.source}: record {finding.record}: {finding.message}")


if __name__ == "__main__":
    main(*sys.argv[1:])

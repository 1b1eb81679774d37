"""Rewrite SGF files of any encoding as FF[4] in UTF-8, next to the originals.

python examples/to_utf8.py old.sgf
"""

import sys
from pathlib import Path

import wei7core as w7


def main(*paths: str) -> None:
    for name in paths:
        path = Path(name)
        game = w7.load(path, strict=False)
        for problem in game.problems:
            if problem.code.startswith("charset-"):
                print(f"{name}: {problem.message}")
        w7.dump(game, path.with_suffix(".utf8.sgf"), format="sgf")


if __name__ == "__main__":
    main(*sys.argv[1:])

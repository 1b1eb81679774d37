"""Pictures that are compared with files: `python tests/samples/pictures.py FOLDER` writes them anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import wei7core as w7

SGF = (
    b"(;SZ[7]AB[bb:bd]AW[fb:fd]TR[bb]SQ[fb]CR[gg]MA[aa]SL[bc]LB[ag:a][bg:long label][cg:12]"
    b"AR[bf:df]LN[ee:eg]DD[ga:gc];B[dd]TB[ab][ac]TW[gb][gc]VW[aa:gf](;W[dc])(;W[de]))"
)


def board() -> w7.Board:
    board = w7.Board(7)
    for color, point in ((1, (2, 2)), (2, (2, 3)), (1, (1, 3)), (2, (4, 4)), (1, (2, 4)), (2, None), (1, (3, 3))):
        board.play(color, point)
    return board


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each picture."""
    here = board()
    yield "print", here.svg(numbers=True)
    caught = w7.Board.from_text(".......\n..X....\n.XO....\n..X....\n.......\n.......\n.......")
    yield "wood", caught.svg(theme="wood", coordinates="kanji", ladder="C5", size=400)
    yield (
        "dark",
        here.svg(theme="dark", coordinates="sgf", region="stones", arrows=[("C5", "E3")], marks=[("TR", "E3")]),
    )
    yield "heat", here.svg(heat=[[x - y / 2 for x in range(7)] for y in range(7)], ghosts=[(2, "A1", "x"), (1, "B1")])
    yield "ownership", here.svg(ownership=[(i - 24) / 24 for i in range(49)], coordinates=None, region="top left")
    alive = w7.Board.from_text(".X.X.\nXXXXX\n.....\nOOOOO\n.O.O.")
    yield "alive", alive.svg(theme="wood", pass_alive=True)
    nodes = list(w7.loads(SGF).walk())
    yield "shapes", nodes[0].svg()
    yield "following", nodes[1].svg(variations=True)


if __name__ == "__main__":
    for name, text in pictures():
        Path(sys.argv[1], f"{name}.svg").write_text(text + "\n", encoding="utf-8")

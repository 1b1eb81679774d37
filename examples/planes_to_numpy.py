"""Write the positions and moves of a game as arrays for a network.

python examples/planes_to_numpy.py tests/data/examples/rev7/lg-cup.wei7 planes.npz
"""

import sys

import numpy as np

import wei7core as w7


def main(path: str, target: str) -> None:
    boards, colors, moves = [], [], []
    before = None
    for node in w7.load(path, strict=False).main_line():
        if before is not None and node.move is not None:
            color, point = node.move
            boards.append(before)
            colors.append(color)
            moves.append(before.width * before.height if point is None else point[1] * before.width + point[0])
        before = node.board
    np.savez_compressed(target, planes=w7.to_planes(boards, colors, history=4), moves=np.array(moves, np.int32))
    print(f"{len(boards)} positions")


if __name__ == "__main__":
    main(*sys.argv[1:])

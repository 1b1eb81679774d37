"""Count the openings of a folder of games: positions after N moves, orientation ignored.

python examples/openings.py tests/data/examples 4
"""

import sys
from collections import Counter

import wei7core as w7


def main(path: str, moves: str = "4") -> None:
    counts: Counter[int] = Counter()
    boards: dict[int, w7.Board] = {}
    for game in w7.load_all(path, strict=False):
        for node in game.main_line():
            if node.move_number == int(moves):
                board = node.board
                counts[board.canonical_hash] += 1
                boards.setdefault(board.canonical_hash, board)
                break
    for key, count in counts.most_common(3):
        print(f"{count} games, {key:016x}")
        print(boards[key])


if __name__ == "__main__":
    main(*sys.argv[1:])

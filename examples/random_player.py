"""Play a random game by a rule set, count it, and write it as SGF.

python examples/random_player.py random.sgf 9 chinese 1
"""

import random
import sys

import wei7core as w7


def main(path: str, size: str = "9", rules: str = "chinese", seed: str = "1") -> None:
    generator = random.Random(int(seed))
    game = w7.Game(int(size))
    board = w7.Board(int(size))
    color, passes = w7.BLACK, 0
    while passes < 2 and board.move_count < 4 * board.width * board.height:
        points = [point for point in board.legal_points(color, rules) if not board.is_eye(point, color)]
        point = generator.choice(points) if points else None
        board.play(color, point)
        game.tree.play(color, point)
        passes = passes + 1 if point is None else 0
        color = w7.BLACK + w7.WHITE - color
    score = w7.score(board, rules)
    game.info.rules = w7.GameRules(type=rules.capitalize())
    game.info.result = score.result.to_result()
    w7.dump(game, path, losses=[])
    print(board)
    print(score)


if __name__ == "__main__":
    main(*sys.argv[1:])

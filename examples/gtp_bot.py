"""A bot that speaks GTP: it captures what it can, saves what is in atari, and else plays at random.

gogui-twogtp or Sabaki run it with: python examples/gtp_bot.py
"""

import random

import wei7core as w7

engine = w7.gtp.Engine("Capturing bot", "1.0")
generator = random.Random(1)


@engine.genmove
def choose(board: w7.Board, color: int) -> "tuple[int, int] | None":
    children = board.children(color, engine.rules)
    points = [point for point in children.points if not board.is_eye(point, color)]
    if not points:
        return None
    captures = {point: int(children.captured[point[1], point[0]]) for point in points}
    best = max(captures, key=captures.__getitem__)
    if captures[best]:
        return best
    safe = [point for point in points if not children.self_atari[point[1], point[0]]]
    saving = [point for point in safe for block in board.blocks(color) if block.in_atari and point in block.liberties]
    return generator.choice(saving or safe or points)


if __name__ == "__main__":
    engine.run()

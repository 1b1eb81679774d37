"""Moves on occupied points in SGF: FF[4] plays them "no matter what was there before"; wei7 ends the branch there."""

import random

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.registry import decode
from wei7core.replaying.replay import pause_points, replay_record

SIZE = 3


class Slow:
    """The slow twin: a position as a dict of stones, with the history of positions."""

    def __init__(self, stones=None):
        self.stones = dict(stones or {})

    def play(self, color, point):
        stones = dict(self.stones)
        replaced = point in stones
        if point is not None:
            stones[point] = color
            for side in (3 - color, color):
                for block in self.blocks(stones, side):
                    if not any(near not in stones for one in block for near in self.near(one)):
                        for one in block:
                            del stones[one]
        return Slow(stones), replaced

    @staticmethod
    def near(point):
        x, y = point
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(a, b) for a, b in around if 0 <= a < SIZE and 0 <= b < SIZE]

    def blocks(self, stones, color):
        waiting = {point for point, one in stones.items() if one == color}
        while waiting:
            block, more = set(), [waiting.pop()]
            while more:
                point = more.pop()
                block.add(point)
                for near in self.near(point):
                    if near in waiting:
                        waiting.discard(near)
                        more.append(near)
            yield block

    def text(self):
        return "".join(".XO"[self.stones.get((x, y), 0)] for y in range(SIZE) for x in range(SIZE))


def tree(rng, depth=0):
    """A random tree as text of SGF, and its positions, branch by branch, with the number of replaced stones."""
    moves = [(rng.choice((1, 2)), (rng.randrange(SIZE), rng.randrange(SIZE))) for _ in range(rng.randrange(1, 6))]
    below = [tree(rng, depth + 1) for _ in range(rng.choice((0, 2)) if depth < 3 else 0)]
    return moves, below


def written(node):
    moves, below = node
    text = "".join(f";{'.BW'[color]}[{chr(97 + x)}{chr(97 + y)}]" for color, (x, y) in moves)
    return text + "".join(f"({written(one)})" for one in below)


def positions(node, board):
    moves, below = node
    for color, point in moves:
        board, replaced = board.play(color, point)
        yield board.text(), replaced
    for one in below:
        yield from positions(one, board)


@in_groups("seed", range(60))
def test_every_position_is_that_of_the_slow_twin(seed):
    node = tree(random.Random(seed))
    text = f"(;SZ[{SIZE}]{written(node)})".encode()
    expected = list(positions(node, Slow()))
    record = decode(text, "sgf")
    assert [point.position for point in pause_points(record)] == [letters for letters, _ in expected]
    replayed = replay_record(record)
    replaced = sum(replaced for _, replaced in expected)
    assert [problem.code for problem in replayed.problems] == ["move-occupied"] * replaced
    assert replayed.error is None
    game = w7.loads(text, strict=False)
    shown = [node.board for node in game.walk() if node.move]
    assert ["".join(".XO"[board[x, y]] for y in range(SIZE) for x in range(SIZE)) for board in shown] == [
        letters for letters, _ in expected
    ]
    table = w7.replay(text, positions=True)
    assert table.to_numpy()["problems"][0] == replaced
    assert table.to_numpy()["error"][0] is None
    last = list(game.main_line())[-1].board
    assert (int(table.to_numpy()["hash"][0]), replayed.hash) == (last.hash, last.hash)
    assert int(table.to_numpy()["moves"][0]) == last.move_count


def test_strict_reading_and_check_report_the_move():
    text = b"(;SZ[5];B[cc];W[cc];B[dd];W[ee])"
    with pytest.raises(w7.RecordError, match="occupied point, whose stone it replaces") as error:
        w7.loads(text)
    assert error.value.code == "move-occupied"
    findings = [one for one in w7.check(text) if one.code == "move-occupied"]
    assert [(one.move_number, one.color, one.x, one.y, one.severity) for one in findings] == [(2, 2, 2, 2, "error")]


def test_a_conversion_to_wei7_ends_there_and_lists_it():
    game = w7.loads(b"(;SZ[5];B[cc];W[cc];B[dd];W[ee])", strict=False)
    losses = []
    assert len(w7.convert(game, "wei7", losses=losses).tree.steps) == 1
    assert [(loss.code, loss.path) for loss in losses] == [("move-occupied", "-;2")]
    assert w7.dumps(game, format="sgf").endswith(b";B[cc];W[cc];B[dd];W[ee])\n")


def test_wei7_ends_the_branch():
    obj = w7.Game(5)
    for color in (1, 2, 1):
        obj.tree.play(color, (2, 2))
    game = w7.loads(w7.dumps(obj, validate=False), strict=False)
    assert [node.move for node in game.main_line() if node.move] == [(1, (2, 2))]


def test_formats_of_servers_go_on():
    moves = "".join(f"STO 0 {number + 2} {number % 2 + 1} 3 3\n" for number in range(3))
    game = w7.loads(
        f"\\HS\n\\[GAMEBLACKNAME=a\\]\n\\HE\n\\GS\nINI 0 1 0 &4\n{moves}STO 0 5 2 4 4\n\\GE\n", strict=False
    )
    assert [node.move for node in game.main_line() if node.move][-1] == (2, (4, 4))


def test_the_limit_of_problems_does_not_end_the_game():
    text = b"(;SZ[5]" + b";B[cc]" * 50 + b";W[aa])"
    limits = w7.Limits(max_problems=10)
    game = w7.loads(text, strict=False, limits=limits)
    assert [problem.code for problem in game.problems] == ["move-occupied"] * 10 + ["limit-problems"]
    assert list(game.main_line())[-1].move == (2, (0, 0))
    assert replay_record(game.record or decode(text, "sgf"), limits=limits).moves == 51

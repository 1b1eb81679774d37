"""The map of stones that readers of Giseong go by, against the board."""

import random
from contextlib import suppress

import pytest

import wei7core as w7
from wei7core.errors import IllegalMoveError
from wei7core.formats.giseong.stones import StoneMap

SIDE = 19


def shown(screen):
    return [[screen.color((x, y)) for x in range(SIDE)] for y in range(SIDE)]


def on_board(board):
    return [[board[x, y] for x in range(SIDE)] for y in range(SIDE)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 19])
@pytest.mark.parametrize("seed", range(3))
def test_stones_are_put_and_taken_off_as_on_a_board(size, seed):
    chance = random.Random(seed)
    corner = chance.choice([0, SIDE - size])
    screen, board = StoneMap(), w7.Board(SIDE)
    kept = [(screen.stones(), board.copy())]
    for number in range(400):
        color, point = chance.randint(1, 2), (corner + chance.randrange(size), corner + chance.randrange(size))
        screen.put(color, point)
        with suppress(IllegalMoveError):  # a stone is there, and stays
            board.play(color, point)
        if number % 10 == 0:
            assert shown(screen) == on_board(board)
            kept.append((screen.stones(), board.copy()))
            stones, other = chance.choice(kept)
            screen.show(stones)
            board = other.copy()
            assert shown(screen) == on_board(board)
    screen.show()
    assert not any(map(any, shown(screen)))


def test_going_from_place_to_place_costs_the_same_however_far_they_are():
    """Each stone of a record is put once: following it never takes more moves than it has stones."""
    line = "&[2;1;1@&[3;1;2@&[3;2;1@&[2;1;3@&[2;2;2@" * 400
    jumps = "&[10@&[2;9;9@&[4;9;9;1@&[9@&[4;1;3;1@" * 300
    game = w7.loads(
        f"&[1w{line}&[8@{jumps}&[2w", strict=False, format="giseong", limits=w7.Limits(max_moves=5 * 400 + 2 * 300)
    )
    assert "limit-replay" not in [problem.code for problem in game.problems]

"""The LG cup game of the examples: the same 163 moves, comments and marks in every format, and from each in each."""

import functools
from pathlib import Path

import pytest
from helpers.pairs import WRITTEN, plain

import wei7core as w7

DATA = Path(__file__).resolve().parent.parent / "data"
SEEDS = [
    *(f"examples/{revision}/{name}.wei7" for revision in ("rev2", "rev7") for name in ("lg-cup", "lg-cup-with-format")),
    "wei7-2.2/lg-cup.wei7",
]
MOVES = 163
MARKS = {24: 3, 30: 3, 42: 1, 46: 2, 55: 1, 82: 1, 115: 2, 117: 2, 122: 11, 123: 5, 139: 8, 143: 11, 144: 1, 148: 12}
COMMENTED = 41
"""Moves with a comment. Of the 43 comments one is that of the start, and one that of the claim at the end."""
LETTERS = dict(zip("가나다라마바사아자차카타파하", "abcdefghijklmn", strict=True))


@functools.cache
def seed(name):
    return w7.load(DATA / name, strict=False, revision=2 if "rev2" in name else 7)


def shown(game):
    """Moves, marks and comments of the main line, by the number of the move."""
    moves, marks, comments = [], {}, {}
    for node in game.main_line():
        if node.move:
            moves.append(node.move)
        for mark in node.marks:
            marks.setdefault(node.move_number, set()).add((mark.point, LETTERS.get(mark.symbol, mark.symbol)))
        if node.comment:
            comments.setdefault(node.move_number, []).append(plain(node.comment))
    return moves, marks, comments


def check(game, name):
    """Check that a game is that of the example `name`."""
    moves, marks, comments = shown(game)
    first_moves, first_marks, first_comments = shown(seed(name))
    assert len(moves) == MOVES
    assert (moves, marks) == (first_moves, first_marks)
    assert {number: len(found) for number, found in marks.items()} == MARKS
    for number, texts in first_comments.items():
        assert all(text in "".join(comments[number]) for text in texts)


@pytest.mark.parametrize("name", SEEDS)
def test_the_examples_show_the_same_game(name):
    moves, marks, comments = shown(seed(name))
    assert (moves, marks) == shown(seed(SEEDS[-1]))[:2]
    assert sum(number > 0 for number in comments) == COMMENTED
    texts_by_number = {number: "".join(texts) for number, texts in comments.items()}
    assert texts_by_number == {number: "".join(texts) for number, texts in shown(seed(SEEDS[-1]))[2].items()}


@pytest.mark.exhaustive
@pytest.mark.parametrize("through", WRITTEN)
@pytest.mark.parametrize("name", SEEDS)
def test_every_format_shows_the_same_game_and_hands_it_on(name, through):
    game = w7.convert(seed(name), through, losses=[])
    check(game, name)
    for format in WRITTEN:
        check(w7.convert(game, format, losses=[]), name)

"""Random trees: walking against an obvious replay, and reading what was written."""

import json

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.characters import UNICODE

from wei7core.board.board import Board
from wei7core.formats.wei7.write import document_to_json
from wei7core.game.dump import dumps
from wei7core.game.game import Game
from wei7core.game.load import from_obj, loads
from wei7core.record.document import (
    Branch,
    Document,
    Edit,
    GameRules,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)

SIZE = 3
POINTS = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
COLORS = st.sampled_from([1, 2])
STONES = st.lists(st.builds(Stone, COLORS, POINTS), max_size=2)
PRES = st.none() | st.builds(Setup, STONES)
ACTIONS = (
    st.builds(Move, COLORS, POINTS | st.none())
    | st.builds(Move, COLORS, POINTS)
    | st.builds(Takeback, st.integers(1, 4))
    | st.builds(Message, st.just("hello"))
    | st.builds(Edit, st.lists(st.builds(Stone, st.integers(0, 2), POINTS), max_size=4))
    | st.builds(Note)
)
STEPS = st.lists(st.builds(Step, ACTIONS), max_size=6)
TREES = st.recursive(
    st.builds(Branch, pre=PRES, steps=STEPS),
    lambda inner: st.builds(Branch, pre=PRES, steps=STEPS, branches=st.lists(inner, max_size=3)),
    max_leaves=12,
)


def replayed(stones, line):
    """A board after the moves and edits in force; an edit is a list of its stones."""
    board = Board(SIZE)
    if stones:
        board.setup([(stone.color, stone.point) for stone in stones])
    for done in line:
        if isinstance(done, list):
            board.edit([(stone.color, stone.point) for stone in done])
        else:
            board.play(*done)
    return board


def can_take_back(stones, line, count):
    """Whether the last moves follow everything that changed the board otherwise, and are so many."""
    while count and line:
        if not isinstance(line[-1], list):
            count -= 1
        elif replayed(stones, line)._edits != replayed(stones, line[:-1])._edits:
            return False
        line = line[:-1]
    return not count


def without_last_moves(line, count):
    """The line with that many moves fewer; edits that changed nothing may go too."""
    line = list(line)
    while count:
        count -= not isinstance(line.pop(), list)
    return line


def positions(branch, stones=(), line=(), touched=False, path=()):
    """Every node of a tree with its board, each replayed from nothing."""
    line = list(line)
    playable = True
    if branch.pre is not None and branch.pre.stones:
        try:
            playable = not touched
            replayed(branch.pre.stones, [])
        except ValueError:
            playable = False
        if playable:
            stones, touched = branch.pre.stones, True
    yield path, -1, replayed(stones, line)
    if not playable:
        return
    for index, step in enumerate(branch.steps):
        if isinstance(step.action, Move):
            try:
                replayed(stones, [*line, (step.action.color, step.action.point)])
            except ValueError:
                return
            line.append((step.action.color, step.action.point))
            touched = True
        elif isinstance(step.action, Takeback):
            if not can_take_back(stones, line, step.action.count):
                return
            line = without_last_moves(line, step.action.count)
        elif isinstance(step.action, Edit):
            line.append(step.action.stones)
            touched = True
        yield path, index, replayed(stones, line)
    for ordinal, below in enumerate(branch.branches):
        yield from positions(below, stones, line, touched, (*path, ordinal))


def game_of(tree):
    game = Game(SIZE)
    game.tree = tree
    return game


def seen(nodes):
    return [(node.path, node.step_index, node.board, node.board.moves()) for node in nodes]


@given(TREES)
def test_walks_meet_every_position(tree):
    expected = [(path, index, board, board.moves()) for path, index, board in positions(tree)]
    game = game_of(tree)
    assert seen(game.walk()) == expected
    assert seen(list(game.walk())) == expected
    assert seen(game.main_line()) == [row for row in expected if not any(row[0])]
    last = {row[0]: row for row in expected}
    assert seen(game.leaves()) == [row for path, row in last.items() if (*path, 0) not in last]
    for path in last:
        above = [path[:length] for length in range(len(path) + 1)]
        assert seen(game.line(path)) == [row for row in expected if row[0] in above]


EMPTY = st.frozensets(st.sampled_from(["steps", "branches", "stones", "marks", "participants", "players"]))
TEXT = st.none() | st.text(UNICODE, max_size=5)
NUMBERS = st.none() | st.integers(-1, 600) | st.floats(0, 600) | st.decimals(0, 600)
EXTRA = st.dictionaries(
    st.sampled_from(["x", "", "y\n", "围"]), st.sampled_from([b"1", b'{"a":[null]}', b'"\xc3\xa9"'])
)
WINNERS = st.none() | COLORS
SYMBOLS = st.sampled_from("aZ0?")
# Points outside the board, indexes without participant and the like belong to lenient reading.
ANY_POINTS = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE))
MARKS = st.lists(st.builds(Mark, ANY_POINTS, SYMBOLS, extra=EXTRA), max_size=2)
RESULTS = st.builds(Result, WINNERS, NUMBERS, extra=EXTRA)
ANY_ACTIONS = (
    st.builds(Move, COLORS, ANY_POINTS | st.none(), st.sampled_from([None, "bad", "good"]), extra=EXTRA)
    | st.builds(Takeback, st.integers(0, 5))
    | RESULTS
    | st.builds(MarkAction, ANY_POINTS, SYMBOLS, extra=EXTRA)
    | st.builds(Message, st.text(UNICODE, max_size=5))
)
ANY_STEPS = st.builds(
    Step, ANY_ACTIONS, time=NUMBERS, actor=st.none() | st.integers(0, 2), marks=MARKS, comment=TEXT,
    extra=EXTRA, kept_empty=EMPTY,
) | st.builds(Step, st.builds(Unreadable, st.sampled_from([b"5", b"[]", b'{"action":{"type":"x"}}'])))  # fmt: skip
ANY_PRES = st.builds(Setup, STONES, st.none() | COLORS, MARKS, TEXT, extra=EXTRA, kept_empty=EMPTY)
ANY_PARTS = {"title": TEXT, "pre": st.none() | ANY_PRES, "steps": st.lists(ANY_STEPS, max_size=3), "extra": EXTRA}
ANY_TREES = st.recursive(
    st.builds(Branch, **ANY_PARTS, kept_empty=EMPTY),
    lambda inner: st.builds(Branch, **ANY_PARTS, branches=st.lists(inner, max_size=3), kept_empty=EMPTY),
    max_leaves=5,
)
INFOS = st.builds(
    Info, TEXT, TEXT, TEXT, st.none() | st.builds(GameRules, TEXT, NUMBERS, TEXT, extra=EXTRA), TEXT, TEXT,
    st.lists(st.builds(Participant, TEXT, extra=EXTRA), max_size=2),
    st.lists(st.builds(Player, st.integers(0, 2), st.none() | COLORS, extra=EXTRA), max_size=2),
    st.none() | RESULTS, extra=EXTRA, kept_empty=EMPTY,
)  # fmt: skip
DOCUMENTS = st.builds(
    Document, st.just(SIZE), st.just(SIZE), st.sampled_from(["integer", "object"]), INFOS, ANY_TREES, EXTRA
)


@settings(max_examples=examples(50))
@given(DOCUMENTS)
def test_whatever_is_written_comes_back(document):
    data = document_to_json(document)
    game = loads(data, strict=False)
    written = dumps(game, validate=False)
    # What could not be read, such as a time below 0, is kept, and then comes after what could.
    assert json.loads(written) == json.loads(data)
    assert written == data or game.problems
    assert dumps(loads(written, strict=False), validate=False) == written
    assert game.to_obj() == json.loads(data)
    assert json.loads(dumps(from_obj(game.to_obj(), strict=False))) == json.loads(data)
    for node in game.walk():
        assert node.board.size == (SIZE, SIZE)

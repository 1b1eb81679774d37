"""The example files of both revisions: every position, count, capture and verdict that is known about them."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core
from wei7core.formats.wei7.decode import decode
from wei7core.replaying.replay import replay_record

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"

# file, branch path, own steps, moves in force, passes of these, stones taken (black, white), stones left,
# digest of the position
POSITIONS = """
rev2/simple - 1 1 0 0 0 3 1 c43319abcf2141dc
rev2/simple 0 6 5 2 0 0 5 1 b16218ccd54c9849
rev2/simple 1 1 2 0 0 0 4 1 eaf94f6d55e89c52
rev2/simple 2 1 2 0 0 0 4 1 3570a6a688458a50
rev2/tutorial - 0 0 0 0 0 0 0 5ab66411c998e374
rev2/tutorial 0 0 0 0 0 0 0 0 5ab66411c998e374
rev2/tutorial 0.0 1 1 0 0 1 4 0 10fa19444877fc7e
rev2/tutorial 0.1 1 1 0 0 5 6 0 a8de5ede845caedc
rev2/tutorial 1 0 0 0 0 0 33 33 f2af6449ce3a3eb4
rev2/interactive - 38 8 0 0 0 4 4 4459214763828f52
rev2/lg-cup - 164 163 0 4 3 78 78 06a5f6bbc155bae3
rev2/lg-cup-with-format - 164 163 0 4 3 78 78 06a5f6bbc155bae3
rev7/simple - 1 1 0 0 0 3 1 c43319abcf2141dc
rev7/simple 0 6 5 2 0 0 5 1 b16218ccd54c9849
rev7/simple 1 1 2 0 0 0 4 1 eaf94f6d55e89c52
rev7/simple 2 1 2 0 0 0 4 1 3570a6a688458a50
rev7/tutorial - 0 0 0 0 0 0 0 5ab66411c998e374
rev7/tutorial 0 0 0 0 0 0 0 0 5ab66411c998e374
rev7/tutorial 0.0 1 1 0 0 1 4 0 10fa19444877fc7e
rev7/tutorial 0.1 1 1 0 0 5 6 0 a8de5ede845caedc
rev7/tutorial 1 0 0 0 0 0 33 33 f2af6449ce3a3eb4
rev7/interactive - 37 7 0 0 0 4 3 d91dd9e182f41b13
rev7/lg-cup - 164 163 0 4 3 78 78 06a5f6bbc155bae3
rev7/lg-cup-with-format - 164 163 0 4 3 78 78 06a5f6bbc155bae3
"""

# file: steps, moves, takebacks, results, mark actions, messages, marks in all, comments of steps and pre
COUNTS = {
    "rev2/simple": (9, 7, 0, 2, 0, 0, 3, 5),
    "rev2/tutorial": (2, 2, 0, 0, 0, 0, 0, 3),
    "rev2/interactive": (38, 16, 8, 0, 1, 13, 0, 0),
    "rev2/lg-cup": (164, 163, 0, 1, 0, 0, 63, 43),
    "rev7/simple": (9, 7, 0, 2, 0, 0, 3, 5),
    "rev7/tutorial": (2, 2, 0, 0, 0, 0, 0, 3),
    "rev7/interactive": (37, 15, 8, 0, 1, 13, 0, 0),
    "rev7/lg-cup": (164, 163, 0, 1, 0, 0, 63, 43),
}

FORMAT_MISSING = [("missing-member", "$")]
# file, revision asked for, errors
VERDICTS = [
    ("rev2/simple", 2, []),
    (
        "rev2/simple",
        7,
        [
            ("unknown-member", "$.tree.steps[0].action.value.problem"),
            ("value-not-allowed", "$.tree.branches[0].steps[0].marks[0].symbol"),
            ("value-not-allowed", "$.tree.branches[0].steps[0].marks[1].symbol"),
        ],
    ),
    *(
        (f"rev2/{name}", revision, [])
        for name in ("tutorial", "interactive", "lg-cup-with-format")
        for revision in (2, 7)
    ),
    *(
        (f"rev7/{name}", revision, [])
        for name in ("simple", "tutorial", "interactive", "lg-cup-with-format")
        for revision in (2, 7)
    ),
    *((f"{folder}/lg-cup", revision, FORMAT_MISSING) for folder in ("rev2", "rev7") for revision in (2, 7)),
]

# time of a step, moves in force after it, stones (black, white)
INTERACTIVE = [
    (12.567, 1, 1, 0),
    (43.6, 0, 0, 0),
    (49.7, 9, 5, 4),
    (67.333, 8, 4, 4),
    (68.444, 4, 2, 2),
    (70, 6, 3, 3),
    (78.4, 4, 2, 2),
    (82.4, 7, 4, 3),
]
INTERACTIVE_END = {"rev2": [(82.8, 8, 4, 4), (220.555, 8, 4, 4)], "rev7": [(220.555, 7, 4, 3)]}

# move: colour, point, stones it takes
LG_CAPTURES = {
    75: (1, (9, 7), {(9, 8)}),
    76: (2, (10, 7), {(11, 7)}),
    78: (2, (9, 8), {(10, 8)}),
    81: (1, (10, 8), {(9, 8)}),
    98: (2, (5, 9), {(6, 9)}),
    152: (2, (6, 1), {(7, 1)}),
    161: (1, (8, 13), {(7, 13)}),
}
LG_STONES = {41: (21, 20), 80: (38, 39), 100: (47, 48), 122: (58, 59), 150: (72, 73), 153: (73, 74), 163: (78, 78)}
LG_MARKS = {24: 3, 30: 3, 42: 1, 46: 2, 55: 1, 82: 1, 115: 2, 117: 2, 122: 11, 123: 5, 139: 8, 143: 11, 144: 1, 148: 12}
LG_FINAL = """\
......XO...........
...X.XO.O.X.....X..
..OOX.XO...OX.OOX..
..OX.O.O.XXOXX.X...
..OX..O..OOXXO.X...
..O.....XXO.XO.X...
......OOXOOOXO.OX..
.....X..XXO.O..OX..
.OX..XOOX.XOO..O...
.OX..O.O.XOO....O..
.OOXX.O...XXXX.X...
.XOO.O..XX..OOXO...
OOXO..XXOOOXXOXXO..
OXXXX.X.XO...O..O..
.OO..XOXO...OOX.X..
.XOOOOOXO.O.OX..X..
.XXX.XXX.X.XX.X....
...................
...................
"""


def data_of(name):
    """The bytes of an example."""
    return (EXAMPLES / f"{name}.wei7").read_bytes()


def read(name):
    """An example, read leniently under its own revision."""
    return wei7core.loads(data_of(name), strict=False, revision=int(name[3]))


def picture(board):
    """The board as 19 rows of letters, each ended by a line feed."""
    rows = ("".join(".XO"[board[x, y]] for x in range(board.width)) for y in range(board.height))
    return "".join(row + "\n" for row in rows)


def stones(board):
    """Black and white stones on the board."""
    cells = board.to_array()
    return int((cells == 1).sum()), int((cells == 2).sum())


@in_groups("row", POSITIONS.split("\n")[1:-1])
def test_positions(row):
    name, path, *numbers, digest = row.split()
    own, moves, passes, black_taken, white_taken, black, white = map(int, numbers)
    game = read(name)
    *_, node = game.line(path)
    assert len(node.branch.steps) == own
    assert node.move_number == moves
    assert sum(point is None for _, point in node.board.moves()) == passes
    assert (node.board.black_captured, node.board.white_captured) == (black_taken, white_taken)
    assert stones(node.board) == (black, white)
    assert hashlib.sha256(picture(node.board).encode()).hexdigest()[:16] == digest


@in_groups("name", COUNTS)
def test_counts(name):
    game = read(name)
    branches = list(game.tree.walk())
    steps = [step for branch in branches for step in branch.steps]
    owners = [*steps, *(branch.pre for branch in branches if branch.pre is not None)]
    kinds = Counter(type(step.action).__name__ for step in steps)
    found = tuple(kinds[kind] for kind in ("Move", "Takeback", "Result", "MarkAction", "Message"))
    marks = sum(len(owner.marks) for owner in owners)
    comments = sum(owner.comment is not None for owner in owners)
    assert (len(steps), *found, marks, comments) == COUNTS[name]


@in_groups(("name", "revision", "errors"), VERDICTS)
def test_verdicts(name, revision, errors):
    data = data_of(name)
    problems = wei7core.loads(data, strict=False, revision=revision).problems
    assert [(one.code, one.path) for one in problems if one.severity == "error"] == errors
    if errors:
        with pytest.raises(wei7core.RecordError) as caught:
            wei7core.loads(data, revision=revision)
        assert caught.value.code == errors[0][0]
    else:
        assert wei7core.loads(data, revision=revision).problems == problems


@in_groups("path", sorted(EXAMPLES.glob("*/*.wei7")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_writing_loses_nothing(path):
    revision = int(path.parent.name[3])
    if path.stem == "lg-cup":
        with pytest.raises(wei7core.RecordError, match="format"):
            wei7core.load(path, revision=revision)
        return
    game = wei7core.load(path, revision=revision)
    written = wei7core.dumps(game)
    assert json.loads(written) == json.loads(path.read_bytes())
    assert wei7core.dumps(wei7core.loads(written, revision=revision)) == written


@pytest.mark.parametrize("revision", ["rev2", "rev7"])
def test_positions_along_the_interactive_record(revision):
    game = read(f"{revision}/interactive")
    times = [node.time for node in game.main_line() if node.time is not None]
    assert times == sorted(times)
    found = {
        float(node.time): (node.move_number, *stones(node.board)) for node in game.main_line() if node.time is not None
    }
    for time, *facts in (*INTERACTIVE, *INTERACTIVE_END[revision]):
        assert found[time] == tuple(facts)
    assert game.timeline
    assert (82.8 in found) == (revision == "rev2")


@pytest.mark.parametrize("folder", ["rev2", "rev7"])
@pytest.mark.parametrize("file", ["lg-cup", "lg-cup-with-format"])
def test_the_lg_cup_game(folder, file):
    game = read(f"{folder}/{file}")
    before = None
    colors = []
    for node in game.main_line():
        if node.move is None:
            continue
        board = node.board
        color, point = node.move
        colors.append(color)
        number = node.move_number
        taken = (
            set()
            if before is None
            else {(x, y) for x in range(19) for y in range(19) if before[x, y] and not board[x, y]}
        )
        assert node.removed == len(taken)
        assert taken == LG_CAPTURES.get(number, (color, point, set()))[2]
        assert number not in LG_CAPTURES or (color, point) == LG_CAPTURES[number][:2]
        assert number not in LG_STONES or stones(board) == LG_STONES[number]
        assert len(node.marks) == LG_MARKS.get(number, 0)
        before = board
    assert colors == [1, 2] * 81 + [1]
    assert picture(before) == LG_FINAL
    assert node.claim == "resignation"
    assert (node.step.actor, node.step.action.winner, node.step.action.margin) == (1, 1, None)


@pytest.mark.parametrize("name", [name for name in COUNTS if "lg-cup" in name])
def test_the_lg_cup_game_has_no_immediate_ko_recapture(name):
    replayed = replay_record(decode(data_of(name), revision=7))
    assert (replayed.moves, replayed.ko_recaptures, replayed.suicides) == (163, 0, 0)
    assert replayed.position == LG_FINAL.replace("\n", "")


def test_no_example_has_a_suicide():
    for name in COUNTS:
        assert replay_record(decode(data_of(name), revision=int(name[3]))).suicides == 0
        assert all(node.board[node.move[1]] for node in read(name).walk() if node.move and node.move[1])

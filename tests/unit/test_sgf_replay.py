"""Replaying SGF: stones set up at any time, and what keeps a record from being replayed to its end."""

import ctypes

import pytest
from helpers.cases import in_groups

from wei7core.formats.sgf.decode import decode
from wei7core.limits import Limits
from wei7core.replaying.replay import pause_points, replay_record


def replayed(text, **limits):
    record = decode(text.encode() if isinstance(text, str) else text)
    return replay_record(record, limits=Limits(**limits))


def rows(result):
    width = result.board.width
    return [result.position[start : start + width] for start in range(0, len(result.position), width)]


def test_stones_are_set_up_captured_and_taken_away_in_the_course_of_a_game():
    result = replayed("(;SZ[3]AB[aa];W[ba];AW[ab]AE[aa];B[aa];AB[ca][bb];W[cc]AB[bc])")
    # The black stone in the corner has no liberty: it is removed at once.
    assert rows(result) == [".OX", "OX.", ".XO"]
    assert (result.moves, result.suicides, result.black_captured, result.error) == (3, 1, 1, None)
    assert result.board.moves() == [(2, (1, 0)), (1, (0, 0)), (2, (2, 2))]
    board = result.board
    board.undo()
    board.undo(2)
    assert board.to_array().tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_a_root_may_hold_blocks_without_liberties():
    result = replayed("(;SZ[3:1]AB[aa]AW[ba][ca];B[];AE[ca];W[ca])")
    # Nothing adjacent to the move is captured, so it is suicide, although the black stone has no liberty either.
    assert (rows(result), result.white_captured, result.error) == (["X.."], 2, None)
    result = replayed("(;SZ[4:1]AB[aa][ba]AW[ca][da];AE[ba];W[ba])")
    assert (rows(result), result.black_captured) == ([".OOO"], 1)
    board = result.board
    board.undo()
    assert board.to_array().tolist() == [[1, 0, 2, 2]]
    assert (board._edits, board.move_count) == ((1, 0), 0)


def test_pause_points():
    record = decode(b"(;SZ[3:2]C[start];C[a note];AB[aa];W[ba]AB[bb];B[];AE(;AE[aa])(;W[ab];AB[aa]))")
    reported = [(p.branch, p.step, p.move_number, p.color, p.point, p.position) for p in pause_points(record)]
    assert reported == [
        ("-", None, 0, None, None, "......"),
        ("-", 1, 0, None, None, "X....."),
        ("-", 2, 0, None, None, "X...X."),
        ("-", 3, 1, 2, (1, 0), "XO..X."),
        ("-", 4, 2, 1, None, "XO..X."),
        ("0", 0, 2, None, None, ".O..X."),
        ("1", 0, 3, 2, (0, 1), ".O.OX."),
        ("1", 1, 3, None, None, "XO.OX."),
    ]


@in_groups(
    ("text", "code", "moves"),
    [
        ("(;SZ[3];B[aa];W[!];B[bb])", "move-invalid", 1),
        ("(;SZ[3];B[aa];W[cd];B[bb])", "point-off-board", 1),
        ("(;SZ[3];B[aa];AB[zz]TR[zz];W[!];B[zz])", "move-invalid", 1),
        ("(;SZ[3];B[aa]AB[zz](;W[bb])(;W[zz])(;W[!]))", "point-off-board", 2),
        ("(;SZ[3];B[aa](;W[bb];B[!])(;W[cc];W[!]))", "move-invalid", 2),
        ("(;SZ[3];B[aa];W[b", "value-unclosed", 1),
        ("(;SZ[3];B[aa];W[bb", "value-unclosed", 1),
    ],
)
def test_a_move_that_cannot_be_played_is_the_error(text, code, moves):
    result = replayed(text)
    assert (result.error.code, result.moves) == (code, moves)
    assert result.error in result.problems


@in_groups(
    ("text", "code"),
    [
        ("(;SZ[3];B[aa];W[bb]", "tree-unclosed"),
        ("(;SZ[3];B[aa];W[bb](;B[cc])(;B[ca]", "tree-unclosed"),
        ("(;SZ[3];B[aa];W[bb]C[what a", "value-unclosed"),
        ("(;SZ[99];B[aa];W[bb])", "size-invalid"),
        ("(;SZ[3]AB[zz];B[aa];AW[zz];W[bb])", "point-invalid"),
        ("(;SZ[3];B[aa];W[bb])(;SZ[3];B[aa])", "more-games"),
    ],
)
def test_an_error_that_leaves_the_moves_readable_is_none_of_the_replay(text, code):
    result = replayed(text)
    assert code in {problem.code for problem in result.problems}
    assert (result.error, result.moves >= 2) == (None, True)


def test_another_game_than_go_is_refused_and_read_as_far_as_it_goes():
    result = replayed("(;GM[2]SZ[8];B[aa](;W[!]))")
    assert (result.error.code, result.moves) == ("game-not-go", 1)
    assert {problem.code for problem in result.problems} == {"game-not-go", "move-invalid"}
    assert replayed("(;GM[2]SZ[8];B[aa])").error.message == "GM[2] is Othello: only Go (GM[1]) is read"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no game at all", "no-game-tree"),
        ("", "no-game-tree"),
    ],
)
def test_what_is_no_game_is_not_replayed(text, code):
    result = replayed(text)
    assert (result.error.code, result.moves) == (code, 0)
    assert list(pause_points(decode(text.encode()))) == []


def test_a_board_beyond_the_limit_is_not_made():
    result = replayed("(;SZ[19];B[aa](;W[!]", max_points=360)
    assert (result.error.code, result.board) == ("board-size-unsupported", None)


@pytest.mark.parametrize(("limit", "code"), [({"max_steps": 2}, "limit-steps"), ({"max_bytes": 20}, "limit-bytes")])
def test_a_limit_of_reading_is_the_error(limit, code):
    record = decode(b"(;SZ[3];B[aa];W[bb];B[cc];W[ca]", limits=Limits(**limit))
    assert replay_record(record).error.code == code


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_the_error_is_found_where_the_text_is_wide(encoding):
    text = "\ufeff(;SZ[3]C[" + "围" * 50 + "];B[aa](;W[ab];B[zz])(;W[aa])(;W[zz])(;C[围]W[!]))"
    result = replayed(text.encode(encoding))
    assert (result.error.code, result.error.path) == ("point-off-board", "0;1.B")


def test_the_limit_counts_stones():
    def text(variations):
        return "(;SZ[19]" + variations * "(;AB[aa:ss];AE[aa:ss])" + ")"

    assert replayed(text(3), max_moves=3 * 4 * 361).error is None
    assert replayed(text(3), max_moves=2 * 4 * 361 + 2 * 361 - 1).error.code == "limit-replay"
    assert replayed("(;SZ[19]AB[aa:ss])", max_moves=360).error.code == "limit-replay"
    assert replayed("(;SZ[19]AB[aa:ss])", max_moves=361).error is None


def make_takeback(record, row, count):
    """Turn a step of a record into a takeback, which no SGF has."""
    steps = record.steps
    for name, value in (("kind", 2), ("x", count)):
        kind, offset = steps.dtype.fields[name][:2]
        where = steps.ctypes.data + row * steps.dtype.itemsize + offset
        (ctypes.c_uint8 if kind.itemsize == 1 else ctypes.c_int32).from_address(where).value = value


@pytest.mark.parametrize(
    ("count", "code", "position"),
    [(1, None, "XO..X...X"), (2, "takeback-too-deep", "XO....O.X"), (3, "takeback-too-deep", "XO....O.X")],
)
def test_a_takeback_reaches_before_no_setup(count, code, position):
    record = decode(b"(;SZ[3];B[aa];W[ba];AB[cc];W[ac];C[takeback];B[bb])")
    make_takeback(record, 4, count)
    result = replay_record(record)
    assert (result.error.code if result.error else None) == code
    assert result.position == position

"""Small inputs that would cost much, and uses of the interface that nobody means."""

import itertools
import json
import sys

import pytest

import wei7core
from wei7core import BLACK, WHITE, Board
from wei7core.errors import LimitError
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.sgf import games as sgf_games
from wei7core.formats.sgf.to_document import document_from_record
from wei7core.formats.wei7.decode import decode
from wei7core.limits import Limits
from wei7core.replaying.replay import pause_points, replay_record


def text(tree, size=19):
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": tree}).encode()


def move(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


def stone(color, x, y):
    return {"color": color, "point": {"x": x, "y": y}}


TAKEBACK = {"action": {"type": "takeback", "value": 1}}


def captured_again_and_again(side, times):
    """All points white but two; black takes everything with one of them, and takes that back."""
    points = [(x, y) for y in range(side) for x in range(side)]
    stones = [stone(WHITE, x, y) for x, y in points[1:]]
    return text({"pre": {"stones": stones}, "steps": [move(BLACK, 0, 0), TAKEBACK] * times}, side)


def test_stones_removed_count_as_work():
    data = captured_again_and_again(40, 20)
    assert replay_record(decode(data)).error is None
    error = replay_record(decode(data), limits=Limits(max_moves=10_000)).error
    assert error.code == "limit-replay"


def test_blocks_followed_over_the_board_count_as_work():
    points = [(x, y) for y in range(200) for x in range(200)]
    stones = [stone(WHITE, x, y) for x, y in points[1:-1]]
    data = text({"pre": {"stones": stones}, "steps": [move(BLACK, 0, 0), TAKEBACK] * 100}, 200)
    limits = Limits(max_moves=40_000 + 300)
    assert replay_record(decode(data)).error is None
    assert replay_record(decode(data), limits=limits).error.code == "limit-replay"


def test_a_walk_counts_the_same_work():
    game = wei7core.loads(captured_again_and_again(40, 20))
    assert sum(1 for _ in game.walk()) == 41
    game.limits = Limits(max_moves=10_000)
    with pytest.raises(LimitError):
        list(game.walk())


@pytest.mark.parametrize("size", [2048, {"width": 1, "height": 4_194_304}, {"width": 4_194_304, "height": 1}])
def test_preset_stones_do_not_cost_the_size_of_the_board(size):
    branches = [{"pre": {"stones": [stone(BLACK, 0, 0)]}} for _ in range(1_500)]
    data = text({"branches": branches}, size)
    replayed = replay_record(decode(data))
    assert (replayed.error, replayed.problems) == (None, ())
    assert sum(1 for _ in wei7core.loads(data).walk()) == 1_501


def test_preset_stones_are_gone_in_the_next_branch():
    branches = [
        {"pre": {"stones": [stone(BLACK, 0, 0), stone(WHITE, 1, 1)]}, "steps": [move(WHITE, 1, 0), move(WHITE, 0, 1)]},
        {"pre": {"stones": [stone(WHITE, 0, 0)]}},
        {"steps": [move(BLACK, 0, 0)]},
    ]
    data = text({"branches": branches}, 3)
    positions = ["X...O....", "XO..O....", ".O.OO....", "O........", "X........"]
    assert [point.position for point in pause_points(decode(data))] == positions
    walked = [node.board for node in wei7core.loads(data).walk() if node.is_pause_point]
    assert ["".join(".XO"[cell] for cell in board.to_array().flat) for board in walked] == positions


def test_branches_of_pause_points_are_named_from_the_root():
    def tree(levels, branches):
        below = [tree(levels - 1, branches) for _ in range(branches)] if levels else []
        # Some have no pause point, so that the walk comes to the next one over several levels.
        return {"branches": below, **({"pre": {}} if levels % 2 == 0 else {})}

    def names(node, path):
        if "pre" in node:
            yield ".".join(map(str, path)) or "-"
        for ordinal, below in enumerate(node["branches"]):
            yield from names(below, (*path, ordinal))

    for levels in (3, 4):
        root = tree(levels, 3)
        assert [point.branch for point in pause_points(decode(text(root)))] == list(names(root, ()))


def test_unknown_members_are_limited():
    data = b'{"format":"wei7","version":"3.0","tree":{' + b'"":0,' * 100 + b'"":0}}'
    assert decode(data, limits=Limits(max_steps=101)).kept.size == 101
    record = decode(data, limits=Limits(max_steps=100))
    assert record.kept.size == 100
    assert record.problems[-1].code == "limit-steps"


def test_no_more_of_a_long_name_is_looked_at_than_is_shown():
    name = "a" * 70 + "\\u0061 "
    data = b'{"format":"wei7","version":"3.0","tree":{},"' + name.encode() + b'":["\\ud800"]}'
    paths = [problem.path for problem in decode(data).problems if problem.code == "surrogate-lone"]
    assert paths == ["$." + "a" * 60 + "...[0]"]


@pytest.mark.parametrize("data", [b'{"action"', b'{"action":', b'{"action":{"value":', b"{", b'{"x" '])
def test_places_are_looked_for_no_further_than_the_text(data):
    (problem,) = decode(data).locate([("move-occupied", 0, 0)])
    assert problem.offset == 0


def test_loading_sets_no_more_memory_aside_than_the_file_needs(tmp_path):
    path = tmp_path / "game.wei7"
    path.write_bytes(text({}))
    assert wei7core.load(path, limits=Limits(max_bytes=sys.maxsize)).size == (19, 19)


def test_stones_are_taken_away_before_the_first_move_only():
    board = Board(3)
    board.setup([(BLACK, (0, 0)), (WHITE, (2, 2))])
    board._take_away([(0, 0), (1, 1)])
    assert (board[0, 0], board[1, 1], board[2, 2]) == (0, 0, WHITE)
    board._check()
    board.play(BLACK, None)
    board._take_away([(2, 2)])
    assert board[2, 2] == WHITE
    with pytest.raises(IndexError):
        board._take_away([(3, 0)])


class Meddler:
    """A coordinate that plays on the board while it is read."""

    def __init__(self, board, value):
        self.board, self.value = board, value

    def __index__(self):
        for _ in range(100):
            self.board.play(BLACK, None)
        return self.value


def test_a_board_may_be_played_on_while_its_arguments_are_read():
    board = Board(9)
    assert board.play(Meddler(board, BLACK), (Meddler(board, 3), Meddler(board, 4))) == 0
    assert board.move_count == 301
    board.undo(Meddler(board, 401))
    assert board.move_count == 0
    with pytest.raises(wei7core.IllegalPositionError):
        board.setup([(Meddler(board, BLACK), (0, 0))])
    assert board.move_count == 100
    board._check()


# Without care, each of these takes hours.


@pytest.mark.exhaustive
def test_a_property_that_is_repeated_very_often():
    times = 300_000
    document = document_from_record(sgf.decode(b"(;XY[a];B[aa]" + b"TR[aa]" * times + b"XY[b]" * times + b")"))
    assert document.properties == {"XY": ("a",)}
    assert document.tree.steps[0].properties == {"TR": ("aa",) * times, "XY": ("b",) * times}


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", [rb"(;CA[GBK]C[\x95\])", rb"(;C[\x95\])", rb"(;C[\x95\]CA[Shift_JIS])"])
@pytest.mark.parametrize("between", [b"", b"(;)", "(;C[\u56f2\u56f2])".encode()])
def test_games_that_never_end_in_another_encoding(game, between):
    texts = [game.replace(rb"\x95", b"\x95"), *([between] if between else [])] * 20_000
    ends = list(itertools.accumulate(map(len, texts)))
    assert sgf_games.split(b"".join(texts)) == list(zip([0, *ends[:-1]], ends, strict=True))


@pytest.mark.parametrize("text", ["\u570d\\", "\u8868"])
@pytest.mark.parametrize("codec", ["gbk", "shift_jis", "utf-8"])
def test_long_games_whose_characters_look_like_brackets(codec, text):
    """The end of a game is looked for a few thousand bytes at a time."""
    value = text.replace("\\", "\\\\").encode(codec, "replace")
    for length in range(4096 - 24, 4096):
        game = b"(;CA[%s]C[%s%s](;B[aa]C[)])(;W[aa]))" % (codec.encode(), b"x" * length, value * 3)
        other = b"(;C[%s]C[%s](;GM[1]" % (b"x" * length, value)
        assert sgf_games.split(game * 2) == [(0, len(game)), (len(game), 2 * len(game))]
        assert sgf_games.split(game + other)[1:] == [
            (len(game), len(game + other) - 7),
            (len(game + other) - 7, len(game + other)),
        ]

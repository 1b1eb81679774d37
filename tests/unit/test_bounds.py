"""Compiled functions refuse arguments that do not fit together before they read anything by them."""

import copy
import pickle

import numpy as np
import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.batch import _engine as bulk
from wei7core.batch import summaries as facts
from wei7core.batch._expand import ChildBatch
from wei7core.formats import _native
from wei7core.record.record import Record
from wei7core.replaying.cursor import Node
from wei7core.replaying.replay import Replayed, replay_record
from wei7core.tables import packed_boards as packing
from wei7core.tables.columns import Boards, Texts
from wei7core.tables.row_text import text_of_rows

GAME = b"(;GM[1]FF[4]SZ[9];B[aa])"


def int64(*numbers):
    return np.array(numbers, np.int64)


@in_groups(
    ("begins", "ends", "first", "message"),
    [
        (int64(0), int64(len(GAME) + 1), 0, "outside its data"),
        (int64(-1), int64(5), 0, "outside its data"),
        (int64(5), int64(4), 0, "outside its data"),
        (int64(0), int64(5, 6), 0, r"text 0 out of range .the block has 1."),
        (int64(0), int64(5), 1, r"text 1 out of range .the block has 1."),
        (int64(0), int64(5), -1, r"text -1 out of range .the block has 1."),
    ],
)
def test_blocks_of_texts(begins, ends, first, message):
    with pytest.raises(ValueError, match=message):
        bulk.replay_block(GAME, begins, ends, "sgf", first=first)


def test_keys_of_texts():
    with pytest.raises(ValueError, match="2 ends, expected 1"):
        facts.keys_of_texts(GAME, int64(0), int64(5, 6))
    for begin, end in ((0, len(GAME) + 1), (-1, 5), (5, 4)):
        with pytest.raises(ValueError, match="outside its data"):
            facts.keys_of_texts(GAME, int64(begin), int64(end))


@pytest.mark.parametrize(("begin", "end"), [(-1, 3), (3, 2), (0, len(GAME) + 1)])
def test_parts_of_texts(begin, end):
    with pytest.raises(ValueError, match="is no part of"):
        _native.pass_text(GAME, begin, end, 1, 1)


def test_starts_and_limits():
    for start in (-1, len(GAME) + 1):
        with pytest.raises(ValueError, match="start is"):
            _native.split_lines(GAME, start, True, 100)
    with pytest.raises(ValueError, match="limit is"):
        _native.split_lines(GAME, 0, True, -1)
    with pytest.raises(ValueError, match="limit is"):
        _native.is_of_lines(GAME, True, -1)
    for offset in (-1, len(GAME) + 1):
        with pytest.raises(ValueError, match="offset is"):
            _native.find_sgf_value(GAME, offset)
    for step in (-1, 2):
        with pytest.raises(ValueError, match="no step starts at"):
            _native.find_in_wei7_step(b"{}", step, b"point")


def test_columns_that_are_shorter_than_stated():
    texts = Texts(int64(0, 5), np.frombuffer(b"abc", np.uint8))
    with pytest.raises(ValueError, match="column of texts is shorter"):
        text_of_rows(["a"], [texts], "csv")
    boards = Boards(np.array([9], np.int32), np.array([9], np.int32), np.zeros(0, np.uint8))
    with pytest.raises(ValueError, match="column of boards is shorter"):
        text_of_rows(["a"], [boards], "csv")


def test_positions_and_their_boards():
    def batch():
        one = np.zeros(1, np.int32), np.ones(1, np.uint8), np.full(1, -1, np.int64)
        return ChildBatch([(9, 9)], *one, "permissive")

    with pytest.raises(ValueError, match="a board for each position"):
        batch().keep([])
    with pytest.raises(ValueError, match="position 0 has another size"):
        batch().keep([w7.Board(5)])
    made = batch()
    made.keep([w7.Board(9)])
    with pytest.raises(ValueError, match="a board for each position, once"):
        made.keep([w7.Board(9)])


def test_what_nobody_makes_copies_or_keeps():
    for kind in (Record, Replayed, Node):
        with pytest.raises(TypeError):
            kind()
    record = w7.loads(GAME).record
    assert repr(record) == "<Record sgf 9x9: 1 step, 0 variations, no problem>"
    replayed = replay_record(record)
    for way in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="replay its record again"):
            way(replayed)


def test_packed_boards_in_an_array_of_objects():
    array = np.empty(2, object)
    array[:] = [packing.pack_letters("X" * 9)] * 2
    assert packing.unpack_boards(array, 3, 3).tolist() == np.ones((2, 3, 3)).tolist()

"""Giseong records against a viewer that knows no trees, there and back, and damaged."""

import copy
import random
import unicodedata
import warnings
from contextlib import suppress

import pytest
from helpers.effort import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles.giseong import view
from samples import giseong_texts
from samples.characters import UNICODE
from samples.wei7_documents import documents

import wei7core as w7
from wei7core.formats.giseong import decode as giseong
from wei7core.formats.giseong.text import Text
from wei7core.game.conversion import encode_document
from wei7core.game.conversion.report import count_by_code
from wei7core.limits import DEFAULT_LIMITS
from wei7core.record.document import Move
from wei7core.replaying.cursor import walk_branches

SEEDS = st.integers(0, 2**32)
ENCODINGS = st.sampled_from(["utf-8", "cp949"])


def stones_of(board):
    return {
        (x, y): board[x, y] for y in range(board.height) for x in range(board.width) if board[x, y]
    }  # fmt: skip


def nodes_by_offset(game):
    """The nodes of all stones by the place of their codes in the text."""
    record = game.record
    trees, steps = record.trees, record.steps
    rows = {}
    for tree in range(len(trees)):
        path, above = [], tree
        while trees["parent"][above] >= 0:
            path.append(int(trees["ordinal"][above]))
            above = trees["parent"][above]
        rows[tuple(reversed(path))] = int(trees["first_step"][tree])
    nodes = {}
    for node in game.walk():
        if node.step is not None and isinstance(node.step.action, Move):
            offset = int(steps["offset"][rows[node.path] + node.step_index])
            nodes[offset] = (stones_of(node.board), node.comment, node.marks)
    return nodes


@given(SEEDS, ENCODINGS)
@settings(max_examples=examples(60))
def test_every_place_is_as_a_viewer_shows_it(seed, encoding):
    compare_places(giseong_texts.record(random.Random(seed)), encoding)


@pytest.mark.parametrize(
    "text",
    [
        "&[1w&[4w&[2;1;2@&[8@&[8@text &[9@&[10@&[9@&[2w",
        "&[1w&[2;1;1@&[8@one &[10@two &[9@three &[3;1;2@&[2w",
    ],
)
def test_places_that_are_restored_at_once(text):
    compare_places(text, "utf-8")


def compare_places(text, encoding):
    game = w7.loads(text.encode(encoding), encoding=encoding, format="giseong", strict=False)
    viewer = view(text, encoding)
    nodes = nodes_by_offset(game)
    assert sorted(nodes) == [shown.offset for shown in viewer.shown]
    for shown in viewer.shown:
        stones, comment, marks = nodes[shown.offset]
        assert stones == shown.stones
        # After a place that was restored, text may join it, which the viewer cannot know.
        assert (comment or "").startswith(shown.text.rstrip("\n")) or not shown.text.strip()
        assert sorted((mark.point, mark.symbol) for mark in marks)[: len(shown.labels)] != [] or not shown.labels


@given(SEEDS)
@example(38108)  # the window is cleared between two texts before the first stone
@settings(max_examples=examples(60))
def test_texts_without_jumps_are_exact(seed):
    text = giseong_texts.record(random.Random(seed), jumps="none")
    game = w7.loads(text, format="giseong")
    viewer = view(text)
    nodes = nodes_by_offset(game)
    for shown in viewer.shown:
        _, comment, marks = nodes[shown.offset]
        assert comment == (shown.text if shown.text.strip() else None)
        assert [(mark.point, mark.symbol) for mark in marks] == shown.labels
    start = game.tree.pre.comment if game.tree.pre else None
    assert start == (viewer.start if viewer.start.strip() else None)
    header = {5: game.info.black_name, 6: game.info.white_name, 12: game.info.name}
    for number, name in viewer.names.items():
        assert name.startswith(header[number])


@given(SEEDS, ENCODINGS)
@settings(max_examples=examples(100))
def test_what_is_read_is_written_back(seed, encoding):
    text = giseong_texts.record(random.Random(seed), jumps="shown")
    game = w7.loads(text.encode(encoding), encoding=encoding, format="giseong")
    lost = []
    data = w7.dumps(game, format="giseong", losses=lost)
    again = w7.loads(data)
    assert not lost
    assert again == game
    assert w7.dumps(again, format="giseong", losses=lost) == data


@given(SEEDS)
@settings(max_examples=examples(60))
def test_trees_that_cannot_be_written_are_changed_and_reported(seed):
    game = w7.loads(giseong_texts.record(random.Random(seed)), format="giseong")
    lost = []
    again = w7.loads(w7.dumps(game, format="giseong", losses=lost))
    if lost:
        assert set(count_by_code(lost)) <= {"variation-repeated", "node-merged"}
        ends = {node.board.hash for node in game.leaves()}
        assert ends <= {node.board.hash for node in again.leaves()}
    else:
        assert again == game


@given(SEEDS, st.sampled_from(["wei7", "wei7-rev2", "wei7-2.2", "sgf"]))
@settings(max_examples=examples(60))
def test_other_formats_keep_moves_positions_and_comments(seed, format):
    game = w7.loads(giseong_texts.record(random.Random(seed)), format="giseong")
    lost = []
    other = w7.convert(game, format, losses=lost)
    back = w7.convert(other, "giseong", losses=[])
    assert [node.board.hash for node in other.leaves()] == [node.board.hash for node in game.leaves()]
    ours, theirs = ([node for node in one.walk() if node.move] for one in (game, other))
    assert [node.move for node in theirs] == [node.move for node in ours]
    for mine, its in zip(ours, theirs, strict=True):
        assert (its.comment or "").startswith((mine.comment or "").replace("\t", " "))
        assert len(its.marks) >= len({mark.point for mark in mine.marks}) or format == "sgf"
    assert [node.board.hash for node in back.main_line()][-1] == [node.board.hash for node in game.main_line()][-1]
    assert other.info.name == game.info.name
    assert (other.info.black_name, other.info.white_name) == (game.info.black_name, game.info.white_name)
    assert set(count_by_code(lost)) <= {"code-dropped", "label-replaced", "mark-dropped", "text-changed", "pre-added"}


def last_board(document):
    *_, last = walk_branches(document, DEFAULT_LIMITS, first_only=True, ends_only=True)
    return last.board


@given(documents(sizes=[(19, 19)]))
@settings(max_examples=examples(60))
def test_wei7_becomes_valid_giseong_that_ends_in_the_same_position(obj):
    document = w7.from_obj(obj).document
    before = copy.deepcopy(document)
    data, losses = encode_document(document, "giseong")
    assert document == before
    game = w7.loads(data)
    assert w7.dumps(game, format="giseong", losses=(lost := [])) == data
    assert not lost
    assert last_board(game.document).hash == last_board(document).hash
    found = count_by_code(losses)
    if not found["variation-dropped"]:
        ends = {node.board.hash for node in walk_branches(document, DEFAULT_LIMITS, first_only=False, ends_only=True)}
        assert ends <= {node.board.hash for node in game.leaves()} or found["takeback-as-variation"]
    comments = "".join(plain(node.comment) for node in game.walk() if node.comment)
    for branch in document.tree.walk():
        for owner in (branch.pre, *branch.steps):
            if owner is not None and owner.comment is not None:
                assert plain(owner.comment) in comments


def plain(text):
    """A text without white space, and with the plain forms of wide characters."""
    return "".join(unicodedata.normalize("NFKC", text).replace("\0", "").split())


@given(st.data())
@settings(max_examples=examples(30))
def test_edited_games_are_written(data):
    """Comments and labels that no text has yet."""
    chance = random.Random(data.draw(SEEDS))
    game = w7.loads(giseong_texts.record(chance, jumps="none"), format="giseong")
    for step in game.tree.steps:
        if chance.random() < 0.3:
            step.comment = data.draw(st.sampled_from([None, "새 해설", "a\n\nb", "끝\n", "다\n" * 40 + "라"]))
        if chance.random() < 0.3:
            step.marks = [w7.document.Mark((chance.randrange(19), chance.randrange(19)), "하")]
    lost = []
    again = w7.loads(w7.dumps(game, format="giseong", losses=lost))
    assert not lost
    assert [(step.action, step.comment, step.marks) for step in again.tree.steps] == [
        (step.action, step.comment, step.marks) for step in game.tree.steps
    ]


PIECES = ["&[", "@", "w", ";", "{{", "}}", "&[8@", "&[9@", "&[10@", "&[1w", "&[2w", "&[4w", "&[5w", "&[2;20;1@", "\n"]


def mutated(chance, text):
    for _ in range(chance.randint(1, 6)):
        begin = chance.randrange(len(text) + 1)
        end = min(len(text), begin + chance.randint(0, 12))
        what = chance.randrange(4)
        if what == 0:
            text = text[:begin] + text[end:]
        elif what == 1:
            text = text[:begin] + chance.choice(PIECES).encode() + text[begin:]
        elif what == 2:
            text = text[:begin] + bytes([chance.randrange(256)]) + text[end:]
        else:
            other = chance.randrange(len(text) + 1)
            text = text[:other] + text[begin:end] + text[other:]
    return text


@pytest.mark.parametrize("seed", range(3))
def test_damaged_records_raise_only_errors_of_the_package(seed):
    chance = random.Random(seed)
    for _ in range(examples(80)):
        encoding = chance.choice(["utf-8", "cp949"])
        data = mutated(chance, giseong_texts.record(chance).encode(encoding))
        with suppress(w7.RecordError):
            w7.loads(data, format="giseong")
        game = w7.loads(data, strict=False, format="giseong")
        for problem in game.problems:
            assert 0 <= problem.offset <= len(data)
            line = data[: problem.offset].count(b"\n") + 1
            assert problem.code == "limit-problems" or problem.line <= line + data.count(b"\r")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for format in ("giseong", "wei7", "sgf"):
                with suppress(w7.RecordError, w7.ConversionError):
                    w7.dumps(game, format=format)
        assert (again := w7.loads(data, strict=False, format="giseong")) == game
        assert again.problems == game.problems


@given(st.text(UNICODE, max_size=30), st.sampled_from(["utf-8", "cp949", "utf-16-le", "gb18030", "shift_jis"]))
def test_characters_know_their_bytes(text, encoding):
    data = text.encode(encoding, "ignore")
    found = Text(data, encoding)
    for index, character in enumerate(found.clean):
        begin, end = found.span(index, index + 1)
        assert data[begin:end].decode(encoding) == character
        assert found.index(begin) == index


@given(st.binary(max_size=30), ENCODINGS)
def test_any_bytes_have_places(data, encoding):
    found = Text(data, encoding)
    offsets = [found.offset(index) for index in range(len(found.clean) + 1)]
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(data)
    assert giseong.decode(data, encoding=encoding).source == data

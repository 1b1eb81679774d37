"""Many texts a call: what is left to others, letters, limits, memory that is used again, threads."""

import json
from concurrent.futures import ThreadPoolExecutor

import games
import numpy as np
import pytest
from oracles.engine import compare, replay_texts
from samples import corpus
from samples.malformed import DOCUMENTS

import wei7core
from wei7core.batch import _engine as bulk
from wei7core.batch._engine import ENGINE_FORMATS
from wei7core.formats.registry import id_in
from wei7core.formats.sgf import games as sgf_games
from wei7core.limits import Limits

BLACK, WHITE = 1, 2


def move(color, x=None, y=None):
    point = None if x is None else {"x": x, "y": y}
    return {"action": {"type": "move", "value": {"color": color, "point": point}}}


def text(tree, size=3, **members):
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": tree, **members}).encode()


def played(*moves, size=3):
    return text({"steps": [move(*one) for one in moves]}, size)


GOOD = played((BLACK, 0, 0), (WHITE, 1, 1), (BLACK,))
OCCUPIED = played((BLACK, 0, 0), (WHITE, 0, 0))


def left(*texts, **limits):
    return compare(list(texts), ["wei7"] * len(texts), Limits(**limits))


def test_a_row_describes_the_end_of_the_main_line():
    rows, letters = replay_texts([GOOD], ["wei7"], board=True)
    row = rows[0]
    assert (row["width"], row["height"], row["moves"], row["passes"], row["is_deferred"]) == (3, 3, 3, 1, False)
    assert letters == b"X...O...."
    board = wei7core.Board(3)
    board.play(BLACK, (0, 0))
    board.play(WHITE, (1, 1))
    assert (row["hash"], row["canonical_hash"]) == (board.hash, board.canonical_hash)


def test_a_call_has_nothing_of_the_ones_before_it():
    large = played(*[(BLACK if k % 2 else WHITE, k % 19, k // 19) for k in range(300)], size=19)
    tree = b"(;SZ[9];B[aa]C[c]" + b"(;W[bb]C[c]TE[1])" * 3_000 + b")"
    huge = b"(;SZ[9]" + b";B[aa]C[c];AE[aa]" * 40_000 + b")"  # whose rows are not kept
    some = [
        (GOOD, "wei7"),
        (large, "wei7"),
        (tree, "sgf"),
        (OCCUPIED, "wei7"),
        (b"(;SZ[30:5];B[ab])", "sgf"),
        (b"", "sgf"),
    ]
    expected = [replay_texts([text], [format], board=True) for text, format in some]
    replay_texts([huge], ["sgf"])
    order = [0, 2, 1, 4, 3, 0, 5, 2, 2, 1, 0]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda k: replay_texts([some[k][0]], [some[k][1]], board=True), order * 20)
    for k, (rows, letters) in zip(order * 20, found, strict=True):
        assert (rows.tolist(), letters) == (expected[k][0].tolist(), expected[k][1])


def test_there_may_be_no_text():
    rows, letters = replay_texts([], [], board=True)
    assert (len(rows), letters) == (0, b"")
    assert replay_texts([], [])[1] is None


def test_records_with_more_than_a_row_are_deferred():
    unknown = text({"steps": []}, extra=1)
    assert left(GOOD, OCCUPIED, GOOD, unknown, b"", GOOD) == [False, True, False, True, True, False]


def test_an_unknown_format_is_left():
    rows, _ = replay_texts([GOOD, GOOD, GOOD], [None, "wei7", "none"])
    assert rows["is_deferred"].tolist() == [True, False, True]


def test_side_branches_are_played_too():
    main = {"steps": [move(BLACK, 1, 0)]}
    assert left(text({"steps": [move(WHITE, 0, 0)], "branches": [main, {"steps": [move(BLACK, 1, 1)]}]})) == [False]
    assert left(text({"steps": [move(WHITE, 0, 0)], "branches": [main, {"steps": [move(BLACK, 0, 0)]}]})) == [True]


def test_sizes_may_change_from_text_to_text():
    sizes = [3, 19, {"width": 5, "height": 2}, 19, 40, {"width": 2, "height": 5}, 3, {"width": 300, "height": 4}]
    texts = [played((BLACK, 1, 1), (WHITE, 0, 1), size=size) for size in sizes]
    assert left(*texts) == [False] * len(sizes)


def test_huge_boards_are_replayed():
    texts = [played((BLACK, 0, 0), size=256), played((BLACK, 0, 0), size=257), GOOD]
    rows, letters = replay_texts(texts, ["wei7"] * 3, board=True)
    assert not rows["is_deferred"].any()
    assert len(letters) == 256 * 256 + 257 * 257 + 9


def test_a_board_beyond_the_limit_is_left():
    assert left(played(size=9), played(size=10), max_points=81) == [False, True]


def test_the_work_of_one_text_does_not_count_for_the_next():
    # Every text needs three moves; captures that are followed over the board count as well.
    corner = played((BLACK, 0, 0), (WHITE, 1, 0), (WHITE, 0, 1))
    assert left(*[corner] * 50, max_moves=3) == [False] * 50
    assert left(corner, max_moves=2) == [True]
    snake = [(BLACK, x, y) for y in range(9) for x in range(40)]
    around = [(WHITE, x, 9) for x in range(40)]
    assert left(*[played(*snake, *around, size={"width": 40, "height": 10})] * 3, max_moves=10_000) == [False] * 3


def test_uncommon_work_is_left():
    # A million moves by a text of a few kilobytes: the branches are put back again and again.
    tree = {"steps": [move(BLACK)] * 1000, "branches": [{"steps": [takeback(1000)]}] * 1100}
    rows, _ = replay_texts([text(tree), GOOD], ["wei7"] * 2)
    assert rows["is_deferred"].tolist() == [True, False]
    row = wei7core.replay(text(tree))[0]
    assert (row.moves, row.takebacks, row.problems, row.error) == (0, 1, 1100, None)


def takeback(count):
    return {"action": {"type": "takeback", "value": count}}


def test_malformed_documents_are_left():
    texts = [data for _, data, _ in DOCUMENTS]
    assert all(left(*texts))


def test_revisions_differ():
    asked = text({"pre": {"problem": {"color": 1}}, "steps": [move(BLACK, 0, 0)]})
    for name in ("wei7", "wei7-rev2"):
        compare([asked, GOOD], [name] * 2)


def test_rows_are_the_same_by_both_ways():
    texts = [GOOD, OCCUPIED, text({}, info={"id": "围-1"}), b"\xff", text({"steps": [move(BLACK, 5, 5)]}), GOOD]
    for options in ({}, {"strict": True}, {"board": True}, {"revision": 2}, {"jobs": 2}):
        # The table of positions needs the records themselves.
        by_record = list(wei7core.replay(texts, positions=True, **options))
        assert list(wei7core.replay(texts, **options)) == by_record


def test_formats_of_the_engine():
    assert set(ENGINE_FORMATS) == {"wei7", "wei7-rev2", "sgf"}


def test_threads_do_not_disturb_each_other():
    texts = [games.wei7_text(game) for game in corpus.generated_games(40, length=120)]
    alone, letters = replay_texts(texts, ["wei7"] * 40, board=True)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: replay_texts(texts, ["wei7"] * 40, board=True), range(16)))
    assert all(np.array_equal(rows, alone) and found == letters for rows, found in results)


REAL_GAMES = 2000


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["wei7", "sgf"])
def test_real_games(name):
    path = corpus.require()
    games_now = corpus.tygem_games(path, REAL_GAMES)
    texts = games.sgf_texts()[:REAL_GAMES] if name == "sgf" else [games.wei7_text(game) for game in games_now]
    rows, letters = replay_texts(texts, [name] * REAL_GAMES, board=True)
    for number, (row, expected) in enumerate(zip(rows, corpus.tygem_expected(path), strict=False)):
        board = letters[361 * number : 361 * (number + 1)].decode()
        assert corpus.sha16(board) == expected["final_sha16"]
        for ours, theirs in (("moves", "moves"), ("passes", "passes"), ("ko_recaptures", "ko_retakes")):
            assert row[ours] == int(expected[theirs])
        assert row["black_captured"] == int(expected["black_captured"])
        assert row["white_captured"] == int(expected["white_captured"])
        assert id_in(name, texts[number][row["name_begin"] : row["name_end"]]) == expected["id"]


def test_files_of_other_programs():
    folder = corpus.require() / "ai-sgf"
    texts = []
    for path in sorted(folder.glob("*.sgf")):
        data = path.read_bytes()
        texts += [data[begin:end] for begin, end in sgf_games.split(data)]
    left = compare(texts, ["sgf"] * len(texts))
    assert len(texts) > 150
    assert left.count(False) > 50


def sgf_left(*texts):
    return compare([text.encode() if isinstance(text, str) else text for text in texts], ["sgf"] * len(texts))


def test_sgf_is_left_where_its_texts_may_need_another_encoding():
    game = "(;{}PB[黑];B[aa])"
    assert sgf_left(game.format("CA[UTF-8]"), game.format("CA[utf-8]")) == [False, False]
    assert sgf_left(game.format(""), game.format("CA[GBK]")) == [True, True]
    assert sgf_left(game.format("CA[UTF-8]").encode("gb18030"), "(;CA[GBK];B[aa])") == [True, False]


def test_sgf_branches_setups_and_sizes():
    assert sgf_left("(;SZ[3]AB[aa][ba];W[ab](;W[bb];W[ca];AE[ca];B[ca])(;AW[aa];B[cc]))") == [False]
    assert sgf_left("(;SZ[52];B[ZZ];W[])", "(;SZ[3:7];B[cg])", "(;SZ[3:7];B[gc])") == [False, False, True]
    assert sgf_left("(;SZ[3];B[aa](;W[bb])(;W[aa]))") == [True]


def test_the_name_of_an_sgf_game():
    names = {"GN[12]": "12", "GN[a\\]b]": "a]b", "GN[a\nb]": "a b", "GN[a][b]": "a", "GameName[x]": "x", "": None}
    texts = [f"(;FF[3]{name})".encode() for name in names]
    rows = wei7core.replay(texts)
    assert [row.id for row in rows] == list(names.values())
    sgf_left(*texts)


def test_columns_have_the_numbers_of_the_rows():
    """Of pieces of both kinds, one of them empty, with records that are left."""
    texts = [games.wei7_text(game) for game in corpus.generated_games(40, length=60)]
    texts[3] = b"{}"
    data = b"\n".join(texts)
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64) - 1
    block = bulk.replay_block(data, ends - [len(text) for text in texts], ends, "wei7")
    pieces = [block, block._replace(rows=block.rows[:0]), block._replace(rows=block.rows[5:9])]
    found = bulk.row_columns(pieces)
    rows = np.concatenate([piece.rows for piece in pieces])
    assert rows["is_deferred"].sum() == found["is_deferred"].sum() == 1
    assert set(found) == set(rows.dtype.names) - {"name_begin", "name_end", "charset", "is_raw_name"}
    for name, values in found.items():
        assert values.dtype == (rows[name].dtype if rows[name].dtype != np.int32 else np.int64)
        assert np.array_equal(values, rows[name])
    assert all(len(values) == 0 for values in bulk.row_columns([]).values())

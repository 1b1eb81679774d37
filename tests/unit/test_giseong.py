"""Giseong records: the samples as far as the facts about them go, encodings, and the readings of what is left open."""

import pickle
from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.giseong.codes import PLACEMENT_KINDS
from wei7core.formats.registry import detect_format
from wei7core.record.document import Mark, Move, Note

SAMPLES = Path(__file__).parents[1] / "data" / "examples" / "giseong"
NAMES = ["board-record", "controls", "labels", "moves", "moves-joined", "names", "save-restore-clear", "variation"]
FILES = sorted(SAMPLES.glob("*.txt"))


def load(name, encoding="cp949"):
    return w7.load(SAMPLES / f"{name}.{encoding}.txt")


def read(codes, **options):
    return w7.loads(f"&[1w{codes}&[2w", format="giseong", **options)


def stones(board):
    return {(x, y): board[x, y] for x in range(19) for y in range(19) if board[x, y]}


def placed(game, path="-"):
    """(row, column, colour) of the stones of a branch, as they are written."""
    actions = [step.action for step in game.branch_at(path).steps]
    return [(a.point[1] + 1, a.point[0] + 1, a.color) for a in actions if isinstance(a, Move)]


# --- the samples -----------------------------------------------------------------


@in_groups("path", FILES, ids=lambda path: path.name)
def test_samples_are_recognised_and_valid(path):
    data = path.read_bytes()
    assert detect_format(data) == "giseong"
    game = w7.load(path)
    assert (game.format, game.size) == ("giseong", (19, 19))
    assert [problem.code for problem in game.problems] == (["move-count"] if "board-record" in path.name else [])
    assert w7.loads(data) == game


@in_groups("name", NAMES)
def test_both_encodings_are_read_alike(name):
    assert load(name, "cp949") == load(name, "utf8")


@in_groups("name", NAMES)
def test_samples_are_written_back(name):
    lost = []
    game = load(name)
    data = w7.dumps(game, format="giseong", losses=lost)
    assert w7.loads(data) == game
    assert not lost


def test_there_are_all_samples():
    assert len(FILES) == 2 * len(NAMES)


def test_moves():
    game = load("moves")
    assert placed(game) == [(13, 11, 1), (13, 12, 2), (15, 12, 1), (8, 12, 2)]
    assert [node.comment for node in game.main_line() if node.step] == [
        None,
        "해설해설해설해설...\n\n",
        "해설해설해설해설...",
        None,
    ]
    assert [node.removed for node in game.main_line()] == [0] * 5
    assert game == load("moves-joined")


def test_labels():
    game = load("labels")
    assert placed(game, "0") == [(13, 11, 1), (13, 12, 2), (13, 13, 1), (13, 14, 2)]
    assert placed(game, "1") == [(13, 14, 1), (13, 15, 2)]
    assert placed(game, "2") == [(13, 14, 1), (13, 15, 2)]
    assert game.tree.pre.marks == [Mark((9, 12), "가")]
    shown = [[mark.symbol for step in branch.steps for mark in step.marks] for branch in game.tree.branches]
    assert shown == [["B", "C"], ["3", "4"], ["▲", "▣"]]
    *_, last = game.leaves()
    assert len(stones(last.board)) == 2


def test_save_restore_clear():
    game = load("save-restore-clear")
    ends = [stones(node.board) for node in game.leaves()]
    assert ends == [{(10, 12): 1, (11, 12): 2}, {(10, 12): 1}, {}]


def test_names():
    game = load("names")
    black, white = game.info.participants
    assert (f"{black.name} {black.rank}", f"{white.name} {white.rank}") == ("홍길동 4급", "임꺽정 3급")
    assert game.info.name == "응창기배 결승 제2국"
    assert game.info.black_name == "홍길동"
    assert len(placed(game)) == 2


def test_board_record():
    game = load("board-record")
    assert game.record.revision == 7
    (problem,) = game.problems
    assert (problem.code, problem.line, problem.column) == ("move-count", 3, 1)
    assert "187" in problem.message
    assert len(placed(game)) == 2


def test_controls():
    game = load("controls")
    assert not placed(game)
    assert game.tree.pre.comment == "해설해설해설해설..." + "\n" * 5


def test_variation():
    game = load("variation")
    assert placed(game) == [(10, 3, 1)]
    assert placed(game, "0") == [(4, 2, 2)]
    assert placed(game, "1") == [(13, 11, 1), (13, 12, 2), (15, 12, 1), (8, 12, 2)]
    assert [node.move_number for node in game.leaves()] == [2, 5]


def test_rows_of_a_batch():
    results = w7.replay([SAMPLES / "variation.cp949.txt", SAMPLES / "names.utf8.txt"], board=True)
    rows = list(results)
    assert [(row.format, row.moves, row.problems, row.error) for row in rows] == [("giseong", 2, 0, None)] * 2
    assert [row.id for row in rows] == [None, "응창기배 결승 제2국"]
    assert rows[0].board.count("X") == rows[0].board.count("O") == 1


def test_a_record_is_pickled_by_its_text():
    record = w7.loads("&[1w&[2;1;2@&[2w", first_row="bottom").record
    again = pickle.loads(pickle.dumps(record))
    assert again.steps.tolist() == record.steps.tolist()
    assert record.steps["y"].tolist() == [18]


# --- placements and controls -------------------------------------------------------


@in_groups("kind", [2, 3, 4, 5, 6, 7, 11, 12])
def test_every_label_of_every_kind_of_stone(kind):
    labels = PLACEMENT_KINDS[kind].labels
    color = {2: 1, 4: 1, 6: 1, 11: 1}.get(kind, 2)
    for index in range(len(labels) or 1):
        (step,) = read(f"&[{kind};10;3{f';{index}' if labels else ''}@").tree.steps
        assert step.action == Move(color, (2, 9))
        assert step.marks == ([Mark((2, 9), labels[index])] if labels else [])
    ends = {4: "ABZ", 5: "ABZ", 6: "0199", 7: "0199", 11: "▲◈↓", 12: "▲◈↓"}
    assert "".join(labels[:2] + labels[-1:]) == ends.get(kind, "")


def test_letters_have_no_stones():
    codes = "".join(f"&[1;1;{index + 1};{index}@" for index in range(14))
    game = read(codes)
    assert [(mark.point, mark.symbol) for mark in game.tree.pre.marks] == [
        ((index, 0), letter) for index, letter in enumerate("가나다라마바사아자차카타파하")
    ]
    assert not game.tree.steps


def test_controls_shape_the_text():
    game = read("&[2;1;1@가&[9w나&[9;3w다&[3w라&[7w&[13w&[8w&[10;67;15w&[11w마&[3w")
    assert game.tree.steps[0].comment == "가\n나\n\n\n다\n\n라마"


def test_names_may_come_anywhere_and_without_rank():
    game = read("&[2;1;1@&[4wKim&[5w설명&[4wLee 9단&[6w")
    assert (game.info.black_name, game.info.white_name) == ("Kim", "Lee")
    assert game.info.participants[1].rank == "9단"
    assert game.tree.steps[0].comment == "설명"


# --- what is left open, and how it is read -------------------------------------------


def test_g1_row_1_is_at_the_top_unless_it_is_stated():
    codes = "&[2;1;3@&[1;2;2;0@&[0;5;5@"
    assert read(codes).tree.steps[0].action.point == (2, 0)
    bottom = read(codes, first_row="bottom")
    assert bottom.tree.steps[0].action.point == (2, 18)
    assert bottom.tree.steps[0].marks == [Mark((1, 17), "가")]
    assert w7.loads(w7.dumps(bottom, format="giseong")) == bottom
    with pytest.raises(ValueError, match="use top or bottom"):
        read(codes, first_row="left")


def test_g4_the_third_letter_is_2():
    assert read("&[1;1;1;2@").tree.pre.marks == [Mark((0, 0), "다")]


def test_g5_numbers_on_stones_are_kept():
    game = read("&[10;67;15w&[11w&[2;1;1@")
    assert b"&[10;67;15w\n&[11w\n" in w7.dumps(game, format="giseong")


def test_g6_a_neutral_point_changes_nothing():
    game = read("&[2;1;1@&[0;1;2@&[3;1;2@")
    assert placed(game) == [(1, 1, 1), (1, 2, 2)]


def test_g7_stones_are_captured():
    game = read("&[3;1;1@&[2;1;2@&[2;2;1@&[3;1;1@&[3;3;1@")
    *_, last = game.main_line()
    assert last.board.white_captured == 2
    assert (0, 0) not in stones(last.board)


def test_g8_a_label_on_a_stone_of_its_colour_is_no_move():
    game = read("&[2;10;3@&[4;10;3;4@&[11;10;3;1@")
    (step,) = game.tree.steps
    assert step.marks == [Mark((2, 9), "E"), Mark((2, 9), "◈")]
    # One that was captured is not there any more.
    game = read("&[3;1;1@&[2;1;2@&[2;2;1@&[5;1;1;0@")
    assert len(placed(game)) == 4


def test_g10_one_board_is_saved_and_restored_any_number_of_times():
    game = read("&[2;1;1@&[8@&[3;1;2@&[9@&[3;1;3@&[9@&[3;1;4@&[8@&[2;2;2@&[9@&[2;3;3@")
    ends = [len(stones(node.board)) for node in game.leaves()]
    assert ends == [2, 2, 3, 3]
    assert [placed(game, path) for path in ("-", "0", "1", "2", "2.0", "2.1")] == [
        [(1, 1, 1)],
        [(1, 2, 2)],
        [(1, 3, 2)],
        [(1, 4, 2)],
        [(2, 2, 1)],
        [(3, 3, 1)],
    ]


def test_g11_g12_a_block_is_an_alternative_to_what_follows():
    game = read("&[2;1;1@{{&[3;1;2@}}{{&[3;1;3@}}&[3;1;4@{{&[2;5;5@}}")
    assert [placed(game, path) for path in ("0", "1", "2")] == [[(1, 4, 2)], [(1, 2, 2)], [(1, 3, 2)]]
    assert [placed(game, path) for path in ("0.0", "0.1")] == [[], [(5, 5, 1)]]
    *_, last = game.main_line()
    assert sorted(stones(last.board)) == [(0, 0), (3, 0)]


def test_g13_text_belongs_to_the_placement_before_it():
    game = read("시작&[2;1;1@하나{{블록&[3;1;2@}}&[3;1;4@둘")
    assert game.tree.pre.comment == "시작"
    assert game.tree.steps[0].comment == "하나"
    block = game.branch_at("1")
    assert block.steps[0].action == Note()
    assert block.steps[0].comment == "블록"
    assert game.branch_at("0").steps[0].comment == "둘"


def test_g14_text_outside_is_no_commentary():
    game = w7.loads("From: me\n\n&[21w&[23;7w&[1w&[2;1;1@&[2w&[22w\nbye")
    assert game.tree.pre is None
    assert game.tree.steps[0].comment is None
    assert [problem.code for problem in game.problems] == ["text-outside-record"] * 2


def test_g18_leading_zeros_and_broken_lines():
    game = w7.loads("&[01\nw&[2;\r\n0013;01\n1@&\n[2w")
    assert placed(game) == [(13, 11, 1)]
    assert not game.problems


def test_a_cleared_board_is_a_branch_of_its_own():
    game = read("&[10@&[2;1;1@&[10@&[10@&[3;2;2@")
    assert [placed(game, path) for path in ("0", "1")] == [[(1, 1, 1)], [(2, 2, 2)]]
    assert len(game.tree.branches) == 2


# --- encodings ------------------------------------------------------------------------


@in_groups(
    ("encoding", "options"),
    [
        ("utf-8", {}),
        ("utf-8-sig", {}),
        ("cp949", {}),
        ("euc-kr", {}),
        ("cp949", {"encoding": "cp949"}),
        ("gb18030", {"encoding": "gb18030"}),
        ("utf-16-le", {}),
        ("utf-32-be", {}),
    ],
)
def test_text_in_any_encoding(encoding, options):
    words = "围棋" if encoding == "gb18030" else "해설: 똠방각하" if encoding == "cp949" else "해설"
    data = f"&[1w\n{words}\n&[2;1;1@{words}&x\n&[2w".encode(encoding)
    game = w7.loads(data, **options)
    assert game.tree.pre.comment == words
    (problem,) = game.problems
    assert data[problem.offset :].startswith("&x".encode(encoding.removesuffix("-sig")))
    assert (problem.line, problem.column) == (3, 9 + len(words))


def test_second_bytes_are_no_codes():
    # The second byte of the first character is `w`, that of the other one `A`.
    data = b"&[1w&[9;2\x81w&[2;1;1@\x81A&[2w"
    game = w7.loads(data, strict=False, encoding="cp949")
    assert [problem.code for problem in game.problems] == ["code-malformed"]
    assert game.tree.steps[0].comment == b"\x81A".decode("cp949")


def test_bytes_that_are_no_characters():
    game = w7.loads(b"&[1w\xb0\xa1\xff&[2;1;1@&[2w")
    assert game.tree.pre.comment == "가\ufffd"
    (problem,) = game.problems
    assert (problem.code, problem.offset, problem.column) == ("text-undecodable", 6, 6)


def test_an_unknown_encoding_is_refused():
    with pytest.raises(ValueError, match="not known"):
        w7.loads(b"&[1w&[2w", encoding="klingon")


# --- writing ----------------------------------------------------------------------------


def test_cp949_is_written_where_it_has_the_characters():
    game = read("해설&[2;1;1@")
    assert "해설".encode("cp949") in w7.dumps(game, format="giseong")
    game.tree.steps[0].comment = "围棋"
    assert "围棋".encode() in w7.dumps(game, format="giseong")


def test_what_would_be_taken_for_utf_8_is_written_so():
    # In CP949 these are the bytes C2 A1 C2 A2, which are UTF-8 for other characters.
    words = b"\xc2\xa1\xc2\xa2".decode("cp949")
    game = read(f"{words}&[2;1;1@")
    assert w7.loads(w7.dumps(game, format="giseong")).tree.pre.comment == words


def test_files_are_written_as_bytes(tmp_path):
    game = load("names")
    w7.dump(game, tmp_path / "a.giseong")
    assert "홍길동".encode("cp949") in (tmp_path / "a.giseong").read_bytes()
    assert w7.load(tmp_path / "a.giseong") == game


@in_groups(
    ("change", "message"),
    [
        (lambda game: game.tree.play(1, None), "no passes"),
        (lambda game: game.tree.take_back(1), "no takeback"),
        (lambda game: game.tree.say("x"), "no message"),
        (lambda game: setattr(game.tree.steps[0], "comment", "a {{ b"), "not be read as text"),
        (lambda game: setattr(game.info, "name", "&[5w"), "not be read as text"),
        (lambda game: game.tree.steps[0].marks.append(Mark((5, 5), "A")), "no label 'A' on an empty point"),
        (lambda game: game.tree.steps[0].marks.append(Mark((19, 5), "가")), "off the board"),
        (lambda game: setattr(game.tree, "title", "x"), "no titles"),
        (lambda game: setattr(game.tree, "pre", w7.document.Setup([w7.document.Stone(1, (3, 3))])), "no preset"),
        (lambda game: game.tree.play(3, (4, 4)), "colour 3"),
        (lambda game: setattr(game, "size", (9, 9)), "19 x 19"),
        (lambda game: game.tree.add_branch(game.tree), "contains itself"),
    ],
)
def test_the_writer_refuses_what_the_format_has_not(change, message):
    game = load("moves")
    change(game)
    with pytest.raises(ValueError, match=message):
        game.check()


def test_trees_that_cannot_be_written_are_refused_by_the_writer_alone():
    game = read("&[2;1;1@")
    game.tree.add_branch().play(2, (5, 5))
    for point in ((6, 6), (7, 7)):
        side = game.tree.add_branch()
        side.play(2, point)
        for deeper in ((1, 1), (2, 2)):
            below = side.add_branch()
            below.play(1, deeper)
            below.add_branch().play(2, (3, 3))
            below.add_branch().play(2, (4, 4))
    with pytest.raises(ValueError, match="do not nest"):
        game.check()
    lost = []
    again = w7.loads(w7.dumps(game, format="giseong", losses=lost))
    assert {loss.code for loss in lost} == {"variation-repeated"}
    assert sorted(node.board.hash for node in again.leaves()) == sorted(node.board.hash for node in game.leaves())

"""Giseong and the other formats: what becomes of what, and what is reported."""

from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.cli.main import main
from wei7core.game.conversion import encode_document, to_giseong
from wei7core.game.conversion.report import count_by_code
from wei7core.limits import Limits
from wei7core.record.document import (
    Branch,
    Document,
    Edit,
    Info,
    Mark,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
)

EXAMPLES = Path(__file__).parents[1] / "data"
LG_CUP = [
    EXAMPLES / "examples" / "rev7" / "lg-cup-with-format.wei7",
    EXAMPLES / "examples" / "rev2" / "lg-cup-with-format.wei7",
    EXAMPLES / "wei7-2.2" / "lg-cup.wei7",
]


def codes(losses):
    return dict(count_by_code(losses))


def converted(game, format, **options):
    lost = []
    other = w7.convert(game, format, losses=lost)
    return other, codes(lost)


def giseong(text):
    return w7.loads(f"&[1w{text}&[2w", format="giseong")


def of(*steps, **members):
    return Document(tree=Branch(steps=list(steps), **members))


def stone(color, x, y, **members):
    return Step(Move(color, (x, y)), **members)


# --- the LG cup game ------------------------------------------------------------------


@pytest.mark.parametrize("path", LG_CUP, ids=lambda path: "/".join(path.parts[-2:]))
def test_the_lg_cup_game_is_the_same_in_giseong_and_back(path):
    game = w7.load(path, strict=False)
    there, lost = converted(game, "giseong")
    moves = [node for node in game.main_line() if node.move]
    again = [node for node in there.main_line() if node.move]
    assert len(moves) == 163
    assert [node.move for node in again] == [node.move for node in moves]
    assert lost["label-replaced"] == 63
    letters = dict(zip("가나다라마바사아자차카타파하", "abcdefghijklmn", strict=True))
    assert [[(mark.point, letters[mark.symbol]) for mark in node.marks] for node in again] == [
        [(mark.point, mark.symbol) for mark in node.marks] for node in moves
    ]
    back, lost = converted(there, "wei7")
    assert lost == {"label-replaced": 63}
    last = [node for node in back.main_line() if node.move]
    assert [(node.move, node.marks) for node in last] == [(node.move, node.marks) for node in moves]
    assert [node.comment for node in last[:-1]] == [node.comment for node in moves[:-1]]
    assert last[-1].comment.startswith(moves[-1].comment)
    assert back.info.name == game.info.name
    assert (back.info.black_name, back.info.white_name) == ("古力", "李世石")
    *_, end = there.main_line()
    assert (end.board.black_captured, end.board.white_captured) == (4, 3)


# --- from Giseong ------------------------------------------------------------------------


@in_groups(
    ("text", "format", "marks", "comment", "lost"),
    [
        ("&[1;1;1;0@", "wei7", [((0, 0), "a")], None, {"label-replaced": 1}),
        ("&[1;1;1;13@", "wei7", [((0, 0), "n")], None, {"label-replaced": 1}),
        ("&[1;1;1;0@가에 두면", "wei7", [((0, 0), "a")], "가에 두면\nLabels: a = 가", {"label-replaced": 1}),
        ("&[1;1;1;0@", "sgf", [((0, 0), "가")], None, {}),
        ("&[4;5;5;25@", "wei7", [((4, 4), "Z")], None, {}),
        ("&[6;5;5;7@", "wei7", [((4, 4), "7")], None, {}),
        ("&[6;5;5;42@", "wei7", [((4, 4), "?")], "Labels: E15 42", {"label-replaced": 1}),
        ("&[6;5;5;42@", "sgf", [((4, 4), "42")], None, {}),
        *(
            (f"&[11;5;5;{index}@", "wei7", [((4, 4), symbol)], None, {"label-replaced": 1})
            for index, symbol in enumerate("%&#@")
        ),
        ("&[12;5;5;4@", "wei7", [((4, 4), "?")], "Labels: E15 →", {"label-replaced": 1}),
        ("&[12;5;5;7@", "sgf", [((4, 4), "↓")], None, {}),
        ("&[7w&[8w&[13w&[10;1;1w&[11w&[3w", "wei7", [], None, {"code-dropped": 6}),
        ("&[0;5;5@", "sgf", [], None, {"code-dropped": 1}),
        ("가&[9;2w나", "sgf", [], "가\n\n나", {}),
        ("&[20;1w&[23;7w&[21w&[2;1;1@", "wei7", [], None, {"code-dropped": 3}),
    ],
)
def test_from_giseong(text, format, marks, comment, lost):
    other, found = converted(giseong(text), format)
    shown = [(mark.point, mark.symbol) for node in other.walk() for mark in node.marks]
    comments = [node.comment for node in other.walk() if node.comment]
    assert (shown, comments, found) == (marks, [comment] if comment else [], lost)


def test_blocks_and_screens_keep_their_places():
    game = giseong("처음&[2;1;1@{{글&[3;1;2@}}&[3;1;3@&[10@둘째&[2;9;9@")
    for format in ("wei7", "sgf", "wei7-2.2"):
        other, lost = converted(game, format)
        assert not lost
        assert [node.board.hash for node in other.leaves()] == [node.board.hash for node in game.leaves()]
        comments = [node.comment for node in other.walk() if node.comment]
        assert comments == ["처음", "글", "둘째"]


# --- to Giseong ----------------------------------------------------------------------------


@in_groups(
    ("document", "text", "lost"),
    [
        (of(stone(1, 2, 9)), ["&[2;10;3@"], {}),
        (of(stone(1, 0, 0, marks=[Mark((0, 0), "A")])), ["&[4;1;1;0@"], {}),
        (of(stone(2, 0, 0, marks=[Mark((0, 0), "%")])), ["&[12;1;1;0@"], {"label-replaced": 1}),
        (of(stone(1, 0, 0), stone(2, 1, 1, marks=[Mark((0, 0), "7")])), ["&[2;1;1@", "&[3;2;2@", "&[6;1;1;7@"], {}),
        (of(stone(1, 0, 0, marks=[Mark((1, 1), "b")])), ["&[2;1;1@", "&[1;2;2;1@"], {"label-replaced": 1}),
        (
            of(stone(1, 0, 0, marks=[Mark((1, 1), "B"), Mark((2, 2), "a")])),
            ["&[2;1;1@", "&[1;2;2;1@", "&[1;3;3;0@", "Labels: 나: B"],
            {"label-replaced": 2},
        ),
        (
            of(stone(1, 0, 0, comment="a-b\r\nc")),
            ["&[2;1;1@", "a－b", "&[9w", "c"],
            {"text-changed": 1, "reserved-character": 1},
        ),
        (
            of(stone(1, 0, 0), Step(Move(2, None))),
            ["&[2;1;1@", "White passes."],
            {"pass-as-comment": 1, "node-merged": 1},
        ),
        (
            of(pre=Setup([Stone(1, (0, 0)), Stone(2, (5, 5))], comment="x")),
            ["&[2;1;1@", "&[3;6;6@", "x"],
            {"setup-as-moves": 1},
        ),
        (of(Step(Note(), comment="x"), stone(1, 0, 0)), ["x", "&[2;1;1@"], {"node-merged": 1}),
        (of(stone(1, 0, 0), Step(Edit([Stone(2, (1, 1))]))), ["&[2;1;1@", "&[3;2;2@"], {"setup-as-moves": 1}),
        (of(stone(1, 0, 0), Step(Edit([Stone(0, (0, 0))]))), ["&[2;1;1@"], {"setup-after-move": 1}),
        (
            of(
                Step(Edit([Stone(1, (0, 0)), Stone(2, (1, 0))]), comment="c"),
                Step(Edit([Stone(0, (0, 0))])),
                stone(1, 2, 2),
            ),
            ["&[3;1;2@", "c", "&[2;3;3@"],
            {"setup-as-moves": 1, "node-merged": 1, "node-dropped": 1},
        ),
        (of(Step(Move(1, (0, 0), "good"))), ["&[2;1;1@", "Good move."], {"evaluation-as-comment": 1}),
    ],
)
def test_to_giseong(document, text, lost):
    data, losses = encode_document(document, "giseong")
    lines = data.decode("cp949").splitlines()
    assert lines == ["&[1w", *text, "&[2w"]
    assert codes(losses) == lost


def test_a_node_of_setup_and_move_has_its_comment_after_both():
    lost = []
    data = w7.dumps(w7.loads("(;FF[4]GM[1]SZ[19];AB[bb]W[aa]LB[aa:B]C[said])"), format="giseong", losses=lost)
    assert data.decode().splitlines()[1:-1] == ["&[2;2;2@", "&[5;1;1;1@", "said"]
    assert [loss.code for loss in lost] == ["setup-as-moves"]


def test_stones_of_the_start_that_moves_would_capture_are_listed():
    lost = []
    data = w7.dumps(w7.loads("(;SZ[19]AB[ba][ab]AW[aa]C[said];B[dd])"), format="giseong", losses=lost)
    assert data.decode().splitlines() == ["&[1w", "said", "&[2w"]
    assert [loss.code for loss in lost] == ["setup-after-move"]


def test_nothing_about_players_goes_silently():
    for people, players, code in (
        ([{"name": "referee"}], [], "participant-dropped"),
        ([{"name": "a", "title": "Meijin"}], [{"participant": 0, "color": 1}], "participant-title-dropped"),
        ([{"name": "a", "id": "7"}], [{"participant": 0, "color": 1}], "identifier-dropped"),
        ([{"name": "a"}, {"name": "b"}], [{"participant": n, "color": 1} for n in (0, 1)], "players-merged"),
    ):
        info = {"participants": people, "players": players}
        lost = []
        w7.dumps(
            w7.from_obj({"format": "wei7", "version": "3.0", "info": info, "tree": {}}), format="giseong", losses=lost
        )
        assert code in [loss.code for loss in lost]


@pytest.mark.parametrize(
    ("before", "attributes", "code"),
    [("<!-- a -->", "", "xml-comments-dropped"), ("", "problem='white'", "problem-as-comment")],
)
def test_what_xml_alone_has_does_not_go_silently(before, attributes, code):
    text = f"<wei7 version='2.2'>{before}<size>19</size><moves><black x='1' y='1' {attributes}/></moves></wei7>"
    lost = []
    w7.dumps(w7.loads(text), format="giseong", losses=lost)
    assert [loss.code for loss in lost] == [code]


def test_the_title_of_the_root_is_reported():
    lost = []
    game = w7.loads('<wei7 version="2.2"><size>19</size><moves><pre title="Joseki"/></moves></wei7>')
    assert "Joseki" in w7.dumps(game, format="giseong", losses=lost).decode()
    assert [loss.code for loss in lost] == ["pause-point-dropped", "title-as-comment"]


def test_titles_become_text():
    document = of(stone(1, 0, 0))
    for row, title in enumerate(("하나", "둘")):
        document.tree.branches.append(Branch(title, steps=[stone(2, 3, row)]))
    data, losses = encode_document(document, "giseong")
    game = w7.loads(data)
    assert game.tree.steps[0].comment == "하나"
    assert game.branch_at("1").steps[0].comment == "둘"
    assert codes(losses) == {"title-as-comment": 2}


def test_what_is_known_about_the_game():
    info = Info(
        name="이름",
        participants=[Participant("A", rank="9d"), Participant("B", rank="?")],
        players=[Player(0, 1), Player(1, 2)],
        place="Seoul",
        result=Result(2, 3.5),
    )
    document = Document(info=info, tree=Branch(steps=[stone(1, 0, 0)]))
    data, losses = encode_document(document, "giseong")
    game = w7.loads(data)
    assert game.info.name == "이름"
    assert [(one.name, one.rank) for one in game.info.participants] == [("A", "9단"), ("B ?", None)]
    assert game.tree.pre.comment == "Place: Seoul\nResult: W＋3.5"
    assert codes(losses) == {"rank-in-name": 2, "info-as-comment": 2, "reserved-character": 1}


def test_a_move_on_an_occupied_point_stays_in_what_is_giseong_already():
    text = b"&[1w\n&[2;1;1@\n&[3;1;1@\n&[2w\n"
    assert w7.dumps(w7.loads(text, strict=False), format="giseong") == text
    document = of(stone(1, 0, 0), stone(2, 0, 0, time=1))
    made, losses = to_giseong(document)
    assert len(made.tree.steps) == 1
    assert codes(losses) == {"time-dropped": 1, "move-occupied": 1}


def test_too_many_labels():
    marks = [Mark((x, 0), f"{x} long") for x in range(16)]
    _, losses = to_giseong(of(stone(1, 5, 5, marks=marks)))
    assert codes(losses) == {"label-replaced": 14, "mark-dropped": 2}


def test_variations_that_would_take_too_many_stones_are_left_out():
    document = of(stone(1, 0, 0))
    document.tree.add_branch().play(2, (5, 5))
    for place in ((6, 6), (7, 7)):
        side = document.tree.add_branch()
        side.play(2, place)
        for deeper in ((1, 1), (2, 2)):
            below = side.add_branch()
            below.play(1, deeper)
            for last in ((3, 3), (4, 4)):
                below.add_branch().play(2, last)
    made, losses = to_giseong(document)
    assert codes(losses) == {"variation-repeated": 2}
    assert len(made.tree.branches) == 9
    made, losses = to_giseong(document, limits=Limits(max_steps=25))
    assert codes(losses) == {"variation-repeated": 1, "variation-dropped": 1}
    assert len(made.tree.branches) == 5


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (Document(9, 9), "19x19"),
        (Document(0, 0), "unknown size"),
        (Document(properties={"GM": ("3",)}), "not of the game"),
    ],
)
def test_what_cannot_be_giseong_at_all(document, message):
    with pytest.raises(w7.ConversionError, match=message):
        to_giseong(document)


def test_a_mark_before_the_only_branch_leaves_its_variations():
    text = (
        b"(;SZ[19](;LB[aa:a];B[bb](;N[first](;W[cc])(;W[dd]))(;W[ee])))",
        b"(;SZ[19](;LB[aa:a];B[bb](;N[first](;N[second](;W[cc])(;W[dd]))(;W[ff]))(;W[ee])))",
    )
    for game in map(w7.loads, text):
        again = w7.loads(w7.dumps(game, format="giseong", losses=[]))
        assert {leaf.board.hash for leaf in game.leaves()} <= {node.board.hash for node in again.walk()}
        *_, end = game.main_line()
        *_, same = again.main_line()
        assert same.board == end.board


def test_the_command_converts_files_and_streams(tmp_path, capsys):
    source = EXAMPLES / "examples" / "giseong" / "variation.cp949.txt"
    assert main(["convert", str(source), str(tmp_path / "a.sgf")]) == 0
    assert main(["convert", str(tmp_path / "a.sgf"), str(tmp_path / "b.giseong")]) == 0
    assert w7.load(tmp_path / "b.giseong") == w7.loads(
        w7.dumps(w7.load(tmp_path / "a.sgf"), format="giseong", losses=[])
    )
    capsys.readouterr()
    assert main(["convert", str(source), "-", "--to", "giseong"]) == 0
    assert "해설" in capsys.readouterr().out
    assert main(["show", str(source), "--first-row", "bottom"]) == 0
    assert main(["validate", str(source)]) == 0
